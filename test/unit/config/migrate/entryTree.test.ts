// @slow: large inputs or many cases.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { entriesOf, entryTree, linesOfItem, writeTree } from "../../../../src/core/config/migrate/entryTree.js";
import { fixture } from "./migratedText.js";

function treeOf(text: string) {
  const document = parseConfig(text, "pyyaml");
  return document.syntaxProblems.length === 0 ? entryTree(document) : undefined;
}

describe("entryTree", () => {
  it("gives back the text it was cut from, byte for byte", () => {
    const pieces = [
      "a: 1",
      "b:",
      "  c: [1,",
      "    2]",
      "  # comment",
      "",
      "   ",
      "d: |",
      "  text",
      "- x",
      "<<: *a",
      "    e: {f: 1}",
      "---",
      "# top",
      "  \"q\": 'x' # y",
      "  ? k",
      "\t",
      "...",
    ];
    let cut = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 14 }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        (lines, end, last) => {
          const text = lines.join(end) + (last ? end : "");
          const tree = treeOf(text);
          if (tree === undefined) return;
          cut++;
          expect(writeTree(tree)).toBe(text);
        },
      ),
      { seed: 11, numRuns: 3_000 },
    );
    expect(cut).toBeGreaterThan(200);
    for (const name of ["flat", "train-scoped", "model-scoped", "verl"]) {
      const text = fixture(`${name}.yaml`);
      const tree = treeOf(text);
      expect(tree === undefined ? "" : writeTree(tree)).toBe(text);
    }
  });

  it("gives each entry the comments right above it and those below that are indented deeper", () => {
    const text = [
      "# file",
      "",
      "# of a",
      "a:",
      "  # of b",
      "  b: 1",
      "    # deeper",
      "  # below",
      "",
      "c:",
      "- 1",
      "# - 2",
      "# of d",
      "d: 2",
      "",
    ].join("\n");
    const tree = treeOf(text);
    const [a, c, d] = entriesOf(tree?.items ?? []);
    expect(a?.above).toEqual(["# of a"]);
    expect(c?.blanks).toEqual([""]);
    expect(c?.below).toEqual(["- 1", "# - 2"]);
    expect(d?.above).toEqual(["# of d"]);
    expect(a === undefined ? [] : linesOfItem(a, 4)).toEqual([
      "",
      "    # of a",
      "    a:",
      "      # of b",
      "      b: 1",
      "        # deeper",
      "      # below",
    ]);
  });

  it("cuts nothing but a block of plain keys", () => {
    for (const text of ["", "- a\n", "text\n", "{a: 1}\n", "? a\n: 1\n"]) expect(treeOf(text)).toBeUndefined();
  });
});
