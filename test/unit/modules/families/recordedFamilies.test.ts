import { describe, expect, it } from "vitest";
import { recording } from "../../../../src/core/modules/families/recordedFamilies.js";

describe("recording", () => {
  it("has well over two hundred classes, and a node for every number", () => {
    const { families, nodes } = recording();
    expect(families.length).toBeGreaterThan(240);
    const numbers = nodes.flatMap((node) => {
      if (node[0] === "L") return [node[4]];
      if (node[0] === "O") return [...node[2]];
      return node[0] === "F" ? node[4].filter((_, at) => at % 2 === 1) : [];
    });
    expect(numbers.filter((number) => nodes[Number(number)] === undefined)).toEqual([]);
    expect(families.filter(({ root }) => nodes[root] === undefined)).toEqual([]);
  });

  it("writes class names out and finds classes by model_type", () => {
    const [llama] = recording().byType.get("llama") ?? [];
    expect(llama).toMatchObject({ architecture: "LlamaForCausalLM", base: "model", noSplit: ["LlamaDecoderLayer"] });
  });

  it("has patterns that compile", () => {
    for (const { conversions } of recording().families) {
      for (const { s } of conversions) for (const pattern of s) expect(() => new RegExp(pattern)).not.toThrow();
    }
  });
});
