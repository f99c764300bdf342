import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { asMapping } from "../../../../src/core/config/document/configNode.js";
import { booleanIn, integerIn, ranksOf, textIn } from "../../../../src/core/config/document/literalValues.js";

function read(text: string) {
  const { root } = parseConfig(text, "omegaconf");
  return { root, mapping: asMapping(root) };
}

describe("literal values", () => {
  const { root, mapping } = read("on: yes\nsize: 8\nhalf: 0.5\nname: sdpa\nlink: '${size}'\nopen: '${oc.env:X}'\n");

  it("follow references inside the file and leave the rest open", () => {
    expect(booleanIn(root, mapping, "on")).toBe(true);
    expect(booleanIn(root, mapping, "name")).toBeUndefined();
    expect(integerIn(root, mapping, "link")).toBe(8);
    expect(integerIn(root, mapping, "half")).toBeUndefined();
    expect(textIn(root, mapping, "name")).toBe("sdpa");
    expect(textIn(root, mapping, "open")).toBeUndefined();
    expect(textIn(root, mapping, "absent")).toBeUndefined();
  });

  it.each([
    ["trainer: {nnodes: 2, n_gpus_per_node: 8}", { perNode: 8, world: 16 }],
    ["trainer: {n_gpus_per_node: 8}", { perNode: 8 }],
    ["trainer: {nnodes: 2, n_gpus_per_node: 0}", {}],
    ["trainer: 8", {}],
  ])("count ranks in %s", (text, ranks) => {
    expect(ranksOf(read(text).root)).toEqual(ranks);
  });
});
