import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSegment, matchesSegment } from "../../../../src/core/modules/selection/glob.js";

const matches = (pattern: string, text: string) => matchesSegment(compileSegment(pattern), text);

/** CPython's `fnmatch.translate` (3.12), written as a translation to a JavaScript regular expression. */
function translate(pattern: string): RegExp {
  const pat = Array.from(pattern);
  let source = "";
  let i = 0;
  while (i < pat.length) {
    const c = pat[i] ?? "";
    i += 1;
    if (c === "*") source += "[^]*";
    else if (c === "?") source += "[^]";
    else if (c !== "[") source += escapeOutside(c);
    else {
      let j = i;
      if (pat[j] === "!") j += 1;
      if (pat[j] === "]") j += 1;
      while (j < pat.length && pat[j] !== "]") j += 1;
      if (j >= pat.length) source += "\\[";
      else {
        source += translateSet(pat, i, j);
        i = j + 1;
      }
    }
  }
  return new RegExp(`^(?:${source})$`, "u");
}

function translateSet(pat: readonly string[], start: number, end: number): string {
  let i = start;
  const chunks: string[][] = [];
  let k = pat[i] === "!" ? i + 2 : i + 1;
  for (;;) {
    k = pat.indexOf("-", k);
    if (k < 0 || k >= end) break;
    chunks.push(pat.slice(i, k));
    i = k + 1;
    k += 3;
  }
  const chunk = pat.slice(i, end);
  if (chunk.length > 0) chunks.push(chunk);
  else chunks.at(-1)?.push("-");
  for (k = chunks.length - 1; k > 0; k -= 1) {
    const left = chunks[k - 1] as string[];
    const right = chunks[k] as string[];
    if ((left.at(-1)?.codePointAt(0) ?? 0) > (right[0]?.codePointAt(0) ?? 0)) {
      chunks[k - 1] = [...left.slice(0, -1), ...right.slice(1)];
      chunks.splice(k, 1);
    }
  }
  const stuff = chunks.map((part) => part.map((char) => char.replace(/[\\\-\]^[]/u, "\\$&")).join("")).join("-");
  if (stuff === "") return "(?!)";
  if (stuff === "!") return "[^]";
  return stuff.startsWith("!") ? `[^${stuff.slice(1)}]` : `[${stuff}]`;
}

const escapeOutside = (char: string) => char.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");

const alphabet = fc.constantFrom(
  "*",
  "?",
  "[",
  "]",
  "!",
  "-",
  "^",
  "\\",
  "a",
  "b",
  "c",
  "z",
  "0",
  "9",
  "é",
  "𝔸",
  "\n",
  "&",
);
const pattern = fc.string({ unit: alphabet, maxLength: 12 });
const setPattern = fc.string({ unit: alphabet, minLength: 1, maxLength: 8 }).map((inner) => `[${inner}]`);
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "z", "0", "9", "-", "!", "^", "]", "[", "\\", "é", "𝔸", "\n"),
  maxLength: 6,
});

describe("matchesSegment", () => {
  it("agrees with a translation of CPython's fnmatch", () => {
    fc.assert(
      fc.property(fc.oneof(pattern, setPattern), text, (p, t) => matches(p, t) === translate(p).test(t)),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ["[0-3]", "2", true],
    ["[0-3]", "4", false],
    ["[!0-3]", "4", true],
    ["[3-0]", "2", false],
    ["[!3-0]", "2", true],
    ["[z-a!]", "q", true],
    ["[0", "[0", true],
    ["[]]", "]", true],
    ["[!]]", "]", false],
    ["[a-]", "-", true],
    ["[^a]", "^", true],
    ["1*", "10", true],
    ["1*", "1", true],
    ["**", "anything", true],
    ["?", "", false],
    ["?", "𝔸", true],
    ["A", "a", false],
  ])("%s against %s is %s", (p, t, expected) => {
    expect(matches(p, t)).toBe(expected);
  });

  it("ends on patterns that make backtracking matchers hang", () => {
    const hostile = `${"*a".repeat(200)}b`;
    expect(matches(hostile, "a".repeat(2000))).toBe(false);
    expect(matches("[a-".repeat(5000), "a")).toBe(false);
  });
});
