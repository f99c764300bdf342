import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { type EntryNode, entriesOf, entryTree, linesOfItem } from "../../../../src/core/config/migrate/entryTree.js";
import { unfoldFlow, unfoldRoot } from "../../../../src/core/config/migrate/flowEntries.js";

/** The first entry of a text, written out. */
function unfolded(text: string): readonly string[] | undefined {
  const tree = entryTree(parseConfig(text, "pyyaml"));
  const node: EntryNode | undefined = entriesOf(tree?.items ?? [])[0];
  const flow = node === undefined ? undefined : unfoldFlow(text, node);
  return node === undefined || flow === undefined ? undefined : linesOfItem({ ...node, ...flow, below: [] }, 0);
}

describe("unfoldFlow", () => {
  it("writes the members of a mapping in braces as a block, as they were written", () => {
    expect(unfolded("a: &x {\"b\": 1, c: 'd, e', f: [1, {g: 2}], h: , i: &y {j: *x}} # end\n")).toEqual([
      "a: &x # end",
      '  "b": 1',
      "  c: 'd, e'",
      "  f: [1, {g: 2}]",
      "  h:",
      "  i: &y {j: *x}",
    ]);
  });

  it("keeps comments of every place, and values of many lines", () => {
    const text = "# above\na: { # all\n  # of b\n  b: [1, # one\n 2],\n  c: 3 # three\n  # last\n}\n  # below\n";
    expect(unfolded(text)).toEqual([
      "# above",
      "a:",
      "  # all",
      "  # of b",
      "  b: [1, # one",
      "    2]",
      "  c: 3 # three",
      "  # last",
      "  # below",
    ]);
  });

  it("leaves alone what is no such mapping, or holds a merge key", () => {
    expect(unfolded("a: [1]\n")).toBeUndefined();
    expect(unfolded("a: {<<: {b: 1}, c: 2}\n")).toBeUndefined();
    expect(unfolded("a: {b: 1, ? [c] : 2}\n")).toBeUndefined();
  });

  it("takes the braces off a whole file, and keeps what stands around them", () => {
    const text = "# head\n---\n{a: 1, b: {c: 2}} # tail\n";
    const { root } = parseConfig(text, "pyyaml");
    const items = root === undefined ? undefined : unfoldRoot(text, root);
    expect(items?.flatMap((item) => linesOfItem(item, 0))).toEqual(["# head", "---", "a: 1", "b: {c: 2}", " # tail"]);
  });
});
