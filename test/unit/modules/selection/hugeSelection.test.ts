// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { matchReport } from "../../../../src/cli/report/matchReport.js";
import { estimateSelection } from "../../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { summariseSelection } from "../../../../src/core/modules/selection/layerSummary.js";
import { editorSteps, selectModules } from "../../../../src/core/modules/selection/select.js";
import { isWhole } from "../../../../src/core/modules/selection/selectionResult.js";
import type { ModuleRow, ModuleTree } from "../../../../src/core/modules/tree.js";
import { patternMarks } from "../../../../src/core/modules/view/patternMarks.js";

/** More than the arguments of one call that fit the stack. */
const many = 130_000;

function treeWith(modules: readonly ModuleRow[], more: Partial<ModuleTree> = {}): ModuleTree {
  const head: ModuleRow[] = [
    { name: "", type: "M" },
    { name: "model", type: "X" },
    { name: "model.layers", type: "ModuleList" },
  ];
  return {
    source: "tree-file",
    exact: true,
    uncertain: [],
    modules: [...head, ...modules],
    containers: new Set(["model.layers"]),
    moduleDicts: new Set(),
    noSplitModules: ["L"],
    ...more,
  };
}

const numbered = (prefix: string, type: string) =>
  Array.from({ length: many }, (_, at): ModuleRow => ({ name: `${prefix}${at}`, type }));

describe("a selection of more modules than any model has", () => {
  it.each([
    ["many layers", treeWith(numbered("model.layers.", "L")), "model.layers.*"],
    ["layers without numbers, by position", treeWith(numbered("model.layers.m", "L")), "model.layers.{*}"],
    ["modules inside one layer", treeWith(numbered("model.layers.0.m", "Linear")), "model.layers.0.*"],
    ["projections beside each other", treeWith(numbered("model.layers.0.in_proj", "Linear")), "model.layers.0.*"],
    ["stacks", treeWith([], { containers: new Set(numbered("model.s", "").map(({ name }) => `${name}x`)) }), "*"],
  ])("explains %s", (_, tree, pattern) => {
    const result = selectModules(tree, [pattern]);
    const report = matchReport(result, tree, estimateSelection(result, tree, defaultWorkload));
    expect(report).toContain(`(depth ${pattern === "*" ? 2 : many})`);
  });

  it("ends a list that lists the same children again and again, and says where", () => {
    const tree = treeWith(numbered("model.layers.", "L"));
    const result = selectModules(tree, new Array<string>(100_000).fill("model.layers.{*}"));
    expect(result.selected.length).toBe(4 * many);
    expect(isWhole(result)).toBe(false);
    expect(result.model.uncertain.at(-1)).toMatch(/^Only the first 4 of 100000 patterns are tried/);
  });

  it("spends a bounded number of steps in the editor, and calls nothing dead that it did not try", () => {
    const tree = treeWith(numbered("model.layers.", "L"));
    const list = Array.from({ length: 1000 }, (_, at) => `model.layers.[!${at}]`);
    const result = selectModules(tree, list, editorSteps);
    const tried = result.patterns.filter(({ notes }) => !notes.some(({ code }) => code === "NOT_TRIED"));
    expect(tried.length).toBeLessThan(60);
    expect(summariseSelection(result, tree).sentence).toMatch(/^not known/);
    const entries = list.map((text) => ({ text, span: { start: 0, end: 0 } }));
    expect(patternMarks("", entries, tree)).toEqual([]);
  });

  it("tries the long lists that the Modules view writes", () => {
    const tree = treeWith(numbered("model.layers.", "L").slice(0, 2000));
    const list = tree.modules.slice(3).map(({ name }) => name);
    expect(isWhole(selectModules(tree, list, editorSteps))).toBe(true);
  });

  it("repeats no more of a long pattern than helps", () => {
    const { patterns, error } = selectModules(treeWith([]), [`model.layers.[${"abz-".repeat(20_000)}a]`]);
    expect(patterns[0]?.notes.every(({ message }) => message.length < 2000)).toBe(true);
    expect(error?.message.length).toBeLessThan(500);
  });
});
