import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternsFor } from "../../../../src/core/modules/selection/pickPatterns.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { recordedTree } from "../recordedTrees.js";

const namesOf = (tree: ModuleTree) => tree.modules.map(({ name }) => name);
const selectedNames = (tree: ModuleTree, patterns: readonly string[]) =>
  selectModules(tree, patterns).selected.map(({ name }) => name);

const trees = [
  "qwen3",
  "deepseek_v3",
  "gpt2",
  "opt",
  "qwen2_vl",
  "llava",
  "mamba",
  "ernie4_5_moe",
  "kimi_linear",
  "mllama",
].map((name) => [name, recordedTree(name).tree] as const);
const qwen3 = recordedTree("qwen3").tree;
const layers = (...numbers: readonly number[]) => numbers.map((number) => `model.layers.${number}`);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe.each(trees)("patternsFor on %s", (_, tree) => {
  it("selects exactly a random subset, in order", () => {
    fc.assert(
      fc.property(fc.subarray(namesOf(tree), { minLength: 1 }), (subset) => {
        expect(selectedNames(tree, patternsFor(tree, subset))).toEqual(subset);
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  it("selects exactly random blocks of what layers hold, in any order", () => {
    const deep = namesOf(tree).filter((name) => /\.\d+(\.|$)/.test(name));
    const block = fc.tuple(fc.nat(deep.length - 1), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const subset = [...new Set(blocks.flatMap(([from, count]) => deep.slice(from, from + count)))];
        expect(selectedNames(tree, patternsFor(tree, subset))).toEqual(subset);
      }),
      { numRuns: 25, seed: 11 },
    );
  });
});

describe("patternsFor", () => {
  it.each([
    [layers(...range(0, 31)), ["model.layers.{*}"]],
    [layers(...range(0, 9)), ["model.layers.?"]],
    [layers(...range(0, 3)), ["model.layers.[0-3]"]],
    [layers(...range(10, 31)), ["model.layers.??"]],
    [layers(...range(0, 19)), ["model.layers.?", "model.layers.1?"]],
    [layers(0, 2, 4, 6, 8), ["model.layers.[02468]"]],
    [layers(7), ["model.layers.7"]],
    [layers(31, 30), ["model.layers.31", "model.layers.30"]],
    [range(0, 31).map((layer) => `model.layers.${layer}.mlp`), ["model.layers.*.mlp"]],
    [
      range(0, 31).flatMap((layer) => ["q", "k", "v"].map((part) => `model.layers.${layer}.self_attn.${part}_proj`)),
      ["model.layers.*.self_attn.[kqv]_proj"],
    ],
    [["lm_head"], ["lm_head"]],
    [[""], [""]],
    [
      ["lm_head", "model.layers.0"],
      ["lm_head", "model.layers.0"],
    ],
    [[], []],
  ])("is short: %j", (names, patterns) => {
    const found = patternsFor(qwen3, names);
    expect(found).toEqual(patterns);
    if (names.length > 0) expect(selectedNames(qwen3, found)).toEqual(names);
  });

  it("leaves out what does not exist and counts repeated names once", () => {
    expect(patternsFor(qwen3, ["model.layers.99", "lm_head", "lm_head"])).toEqual(["lm_head"]);
  });

  it("quotes names that look like globs", () => {
    const modules = ["", "a*", "ab", "b[0]", "{*}"].map((name) => ({ name }));
    const odd: ModuleTree = { ...qwen3, modules, containers: new Set() };
    expect(selectedNames(odd, patternsFor(odd, ["a*", "b[0]"]))).toEqual(["a*", "b[0]"]);
  });

  it("copes with half of 20,000 experts", () => {
    const experts = range(0, 63).flatMap((layer) =>
      range(0, 299).map((expert) => ({ name: `model.layers.${layer}.mlp.experts.${expert}` })),
    );
    const tree: ModuleTree = { ...qwen3, modules: experts, containers: new Set() };
    const subset = namesOf(tree).filter((name) => /[02468]$/.test(name));
    const patterns = patternsFor(tree, subset);
    expect(patterns).toEqual(["model.layers.*.mlp.experts.*[02468]"]);
    expect(selectedNames(tree, patterns)).toEqual(subset);
  });

  it("selects exactly thousands of irregular picks, and still joins the regular ones behind them", () => {
    const parts = ["gate", "up", "down"];
    const leaves = range(0, 39).flatMap((layer) =>
      range(0, 99).flatMap((expert) => parts.map((part) => `model.layers.${layer}.mlp.experts.${expert}.${part}_proj`)),
    );
    const modules = [...leaves, ...range(0, 9).map((layer) => `tail.${layer}`)].map((name) => ({ name }));
    const tree: ModuleTree = { ...qwen3, modules, containers: new Set() };
    const subset = namesOf(tree).filter(
      (name, at) => name.startsWith("tail") || ((at * 2_654_435_761) >>> 7) % 3 === 0,
    );
    const patterns = patternsFor(tree, subset);
    expect(patterns.at(-1)).toBe("tail.*");
    expect(selectedNames(tree, patterns)).toEqual(subset);
  });
});
