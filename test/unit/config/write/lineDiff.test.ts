import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineChanges, lineEdits, linesWithBreaks } from "../../../../src/core/config/write/lineDiff.js";

function applied(before: string, after: string): string {
  return [...lineEdits(before, after)]
    .reverse()
    .reduce((text, { span, newText }) => text.slice(0, span.start) + newText + text.slice(span.end), before);
}

/** Length of a longest common subsequence, the slow way. */
function commonLength(left: readonly string[], right: readonly string[]): number {
  let previous = new Array<number>(right.length + 1).fill(0);
  for (const line of left) {
    const current = [0];
    for (const [at, other] of right.entries()) {
      const longest = line === other ? (previous[at] ?? 0) + 1 : Math.max(previous[at + 1] ?? 0, current[at] ?? 0);
      current.push(longest);
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

describe("lineDiff", () => {
  it("turns one text into the other by as few lines as possible, with equal lines between changes", () => {
    const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d"), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        const before = left.join("");
        const after = right.join("");
        expect(applied(before, after)).toBe(after);
        const oldLines = linesWithBreaks(before);
        const newLines = linesWithBreaks(after);
        const changes = lineChanges(oldLines, newLines);
        const touched = changes.reduce(
          (sum, each) => sum + each.oldEnd - each.oldStart + each.newEnd - each.newStart,
          0,
        );
        expect(touched).toBe(oldLines.length + newLines.length - 2 * commonLength(oldLines, newLines));
        for (const [at, change] of changes.entries()) {
          const next = changes[at + 1];
          if (next !== undefined) expect(next.oldStart).toBeGreaterThan(change.oldEnd);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("gives no edits for equal texts, and one for texts that share too little", () => {
    expect(lineEdits("a\nb\n", "a\nb\n")).toEqual([]);
    const left = Array.from({ length: 700 }, (_, at) => `l${at}\n`).join("");
    const right = Array.from({ length: 700 }, (_, at) => `r${at}\n`).join("");
    expect(lineEdits(`head\n${left}tail`, `head\n${right}tail`)).toEqual([
      { span: { start: 5, end: 5 + left.length }, newText: right },
    ]);
  });

  it.each([
    [
      "lines that are all the same",
      (at: number) => (at % 2 === 0 ? "a\n" : "b\n"),
      (at: number) => (at % 3 === 0 ? "a\n" : "b\n"),
    ],
    ["lines that are all different", (at: number) => `l${at}\n`, (at: number) => `r${at}\n`],
    ["the same lines in the other order", (at: number) => `${at % 1000}\n`, (at: number) => `${999 - (at % 1000)}\n`],
  ])("ends for 200,000 lines within the work that it may do: %s", (_, oldLine, newLine) => {
    const before = Array.from({ length: 200_000 }, (_, at) => oldLine(at)).join("");
    const after = Array.from({ length: 200_000 }, (_, at) => newLine(at)).join("");
    expect(applied(before, after) === after).toBe(true);
  });
});
