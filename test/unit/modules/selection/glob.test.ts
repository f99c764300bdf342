import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

/** A glob, texts that it matches in Python, and texts that it does not. */
type PythonAnswer = readonly [string, readonly string[], readonly string[]];

function disagreements(cases: readonly PythonAnswer[]): readonly string[] {
  return cases.flatMap(([glob, yes, no]) => [
    ...yes.filter((one) => !matches(glob, one)).map((one) => `${JSON.stringify([glob, one])} matches in Python`),
    ...no.filter((one) => matches(glob, one)).map((one) => `${JSON.stringify([glob, one])} does not match in Python`),
  ]);
}

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

  // Written by test/python/globs.py with seed 1, Python 3.11.
  it("agrees with what Python's fnmatch was recorded to say", () => {
    const cases: readonly PythonAnswer[] = JSON.parse(readFileSync("test/fixtures/globs.json", "utf8"));
    expect(cases.length).toBe(400);
    expect(disagreements(cases)).toEqual([]);
  });

  it.runIf(spawnSync("python3", ["--version"]).status === 0)("agrees with the Python that is here", () => {
    const seed = String(Math.floor(Math.random() * 2 ** 31));
    const { stdout } = spawnSync("python3", ["test/python/globs.py", seed, "3000"], { encoding: "utf8" });
    expect(disagreements(JSON.parse(stdout)), `seed ${seed}`).toEqual([]);
  });

  it.each([
    // What a removed range leaves in front is read again; a `!` there negates, and its hyphen counts as itself.
    ["[z-a!-c]", "-", false],
    ["[z-a!-c]", "b", true],
    ["[abz-abz-a]", "a", true],
    ["[abz-abz-a]", "z", false],
    ["[z-yx-w]", "x", false],
  ])("%s against %s is %s after ranges were removed", (p, t, expected) => {
    expect(matches(p, t)).toBe(expected);
  });

  it("takes a set of a million reversed ranges for the length that it has", () => {
    const glob = compileSegment(`[${"abz-".repeat(1_000_000)}a]`);
    expect(matchesSegment(glob, "b")).toBe(true);
    expect(matchesSegment(glob, "z")).toBe(false);
    const [set] = glob.tokens;
    // However long it is written, it holds "a" to "b" only.
    expect(set?.kind === "set" ? set.ranges : []).toEqual([{ low: 97, high: 98 }]);
  });

  it("keeps as many ranges as there are gaps, however often they are written", () => {
    const [set] = compileSegment(`[${"a-cx-z0-4".repeat(10_000)}]`).tokens;
    expect(set?.kind === "set" ? set.ranges.length : 0).toBe(3);
  });

  it("does not try a glob that is longer than the text", () => {
    const glob = compileSegment(`*${"[ab]".repeat(100_000)}*`);
    expect(glob.leastLength).toBe(100_000);
    expect(matchesSegment(glob, "ab".repeat(40_000))).toBe(false);
  });

  it("ends on patterns that make backtracking matchers hang", () => {
    const hostile = `${"*a".repeat(200)}b`;
    expect(matches(hostile, "a".repeat(2000))).toBe(false);
    expect(matches("[a-".repeat(5000), "a")).toBe(false);
  });
});
