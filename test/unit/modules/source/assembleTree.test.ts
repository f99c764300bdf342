import { describe, expect, it } from "vitest";
import { parseBlueprint } from "../../../../src/core/modules/families/blueprint.js";
import { assembleModules } from "../../../../src/core/modules/source/assembleTree.js";
import { tensorTrie } from "../../../../src/core/modules/source/tensorTrie.js";

function assemble(blueprint: string, tensors: readonly string[], declaredLayers?: number) {
  return assembleModules({
    rootType: "Root",
    blueprint: parseBlueprint(blueprint),
    tensors: tensorTrie(tensors),
    className: (type) => type,
    declaredLayers,
  });
}
const names = (assembly: ReturnType<typeof assemble>) => assembly.modules.map(({ name }) => name);

describe("assembleModules", () => {
  it("follows the blueprint's order, adds what has no tensors, and puts the unknown last", () => {
    const assembly = assemble("b B\na A\nact! Act\nabsent C", ["a.w", "z.w", "b.w", "x.10.w", "x.9.w"]);
    expect(names(assembly)).toEqual(["", "b", "a", "act", "x", "x.9", "x.10", "z"]);
    expect(assembly.unplaced).toEqual(["x", "x.9", "x.10", "z"]);
  });

  it("takes the first alternative whose child exists, element by element", () => {
    const assembly = assemble("l[] Moe when gate\nl[] Dense", ["l.0.w", "l.1.gate.w"]);
    expect(assembly.modules.slice(2, 4)).toEqual([
      { name: "l.0", type: "Dense" },
      { name: "l.1", type: "Moe" },
    ]);
  });

  it("swallows what lies below a fused module", () => {
    expect(names(assemble("experts* E\n  act! A", ["experts.0.up.w", "experts.1.up.w"]))).toEqual([
      "",
      "experts",
      "experts.act",
    ]);
  });

  it("reports lists with gaps and keeps the numbers", () => {
    const assembly = assemble("l[] L", ["l.0.w", "l.2.w"]);
    expect(assembly.gaps).toEqual(["l"]);
    expect(names(assembly)).toEqual(["", "l", "l.0", "l.2"]);
  });

  it("does not take a list with words for a list", () => {
    const assembly = assemble("l[n] L", ["l.0.w", "l.first.w"], 2);
    expect(assembly.containers.has("l")).toBe(false);
    expect(names(assembly)).toEqual(["", "l", "l.0", "l.first"]);
  });

  it("recognises unknown lists by their numbers", () => {
    const assembly = assemble("", ["blocks.1.w", "blocks.0.w", "sparse.5.w"]);
    expect([...assembly.containers]).toEqual(["blocks"]);
  });

  it("lists layers beyond the declared ones, however many", () => {
    const beyond = 200_000;
    const assembly = assemble(
      "l[n] L",
      Array.from({ length: beyond + 2 }, (_, number) => `l.${number}.w`),
      2,
    );
    expect(names(assembly)).toEqual(["", "l", "l.0", "l.1"]);
    expect(assembly.layersNotBuilt).toHaveLength(beyond);
    expect(assembly.layersNotBuilt.at(-1)).toBe("l.200001");
  });
});
