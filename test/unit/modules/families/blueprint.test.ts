import { describe, expect, it } from "vitest";
import { indent, parseBlueprint } from "../../../../src/core/modules/families/blueprint.js";
import { textFamilies } from "../../../../src/core/modules/families/textFamilies.js";
import { visionFamilies } from "../../../../src/core/modules/families/visionFamilies.js";

describe("parseBlueprint", () => {
  it("reads marks, alternatives and nesting", () => {
    const [list, other] = parseBlueprint(
      "layers[n] @Layer when experts\n  act! %act\n  experts* @Experts\nlayers[n] @Dense",
    );
    expect(list).toMatchObject({ name: "layers", type: "@Layer", isList: true, isDecoderStack: true, when: "experts" });
    expect(list?.children.map(({ name, withoutTensors, fused }) => [name, withoutTensors, fused])).toEqual([
      ["act", true, false],
      ["experts", false, true],
    ]);
    expect(other).toMatchObject({ type: "@Dense", when: undefined, children: [] });
  });

  it("refuses lines out of place", () => {
    expect(() => parseBlueprint("a A\n    b B")).toThrow("out of place");
    expect(() => parseBlueprint("a")).toThrow("out of place");
  });

  it.each([...textFamilies, ...visionFamilies])("reads the table of %s", (_, family) => {
    const count = JSON.stringify(parseBlueprint(family.body)).match(/"isDecoderStack":true/g)?.length ?? 0;
    expect(count).toBeGreaterThan(0);
  });

  it("moves blocks to the right", () => {
    expect(indent("\na A\n  b B\n", 1)).toBe("  a A\n    b B");
  });
});
