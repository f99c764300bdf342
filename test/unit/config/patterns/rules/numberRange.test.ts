import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globsForRange } from "../../../../../src/core/config/patterns/rules/numberRange.js";
import { compilePattern } from "../../../../../src/core/modules/selection/glob.js";

function matches(globs: readonly string[], text: string): boolean {
  return globs.some((glob) => new RegExp(`^${glob}$`).test(text));
}

describe("globsForRange", () => {
  it.each([
    [0, 27, ["[0-9]", "1[0-9]", "2[0-7]"]],
    [3, 3, ["3"]],
    [0, 1, ["[01]"]],
    [8, 120, ["[89]", "[1-9][0-9]", "1[01][0-9]", "120"]],
  ])("covers %i to %i", (from, to, globs) => {
    expect(globsForRange(from, to)).toEqual(globs);
    for (const glob of globs) expect(compilePattern(glob).length).toBe(1);
  });

  it("matches the numbers of the range and no other", () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), fc.nat(1200), (from, length, other) => {
        const globs = globsForRange(from, from + length);
        expect(matches(globs, String(other))).toBe(other >= from && other <= from + length);
        expect(matches(globs, String(from)) && matches(globs, String(from + length))).toBe(true);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it("gives nothing for ranges that make no sense", () => {
    expect(globsForRange(5, 3)).toEqual([]);
    expect(globsForRange(0, 10_000)).toEqual([]);
  });
});
