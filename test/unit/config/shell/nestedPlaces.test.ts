import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { NestedPlaces } from "../../../../src/core/config/shell/nestedPlaces.js";
import { readShell, type ShellWord } from "../../../../src/core/config/shell/readShell.js";
import type { TracedText } from "../../../../src/core/config/shell/tracedText.js";

/** `text` as it stands in a script from `at` on, where some characters are two long (escaped). */
function traced(text: string, at: number, length = 1): TracedText {
  const starts = [...text].map((_, i) => at + i * length);
  return {
    text,
    starts,
    ends: starts.map((start) => start + length),
    quoting: [...text].map(() => "double" as const),
    removedQuotes: [],
  };
}

const U = UNKNOWN_MARK;

describe("NestedPlaces", () => {
  it("gives each text offsets of its own and leads them back to the script", () => {
    const places = new NestedPlaces(100);
    const [first] = places.parse(traced("p a=1", 10));
    const [second] = places.parse(traced("q b", 40, 2));
    if (first?.kind !== "simple" || second?.kind !== "simple") throw new Error("no commands");
    expect(places.isNested(first.span.start) && places.isNested(second.span.start)).toBe(true);
    expect(places.spanOf(first.words[1] ?? first.span)).toEqual({ start: 12, end: 15 });
    expect(places.spanOf(second.words[1] ?? second.span)).toEqual({ start: 44, end: 46 });
  });

  it("leaves offsets of the script alone", () => {
    const places = new NestedPlaces(100);
    places.parse(traced("p", 10));
    expect(places.isNested(100)).toBe(false);
    expect(places.spanOf({ start: 3, end: 7 })).toEqual({ start: 3, end: 7 });
  });

  it("says where the first character stands where a text was put together from several places", () => {
    const places = new NestedPlaces(100);
    const joined: TracedText = { ...traced("ab", 50), starts: [50, 20], ends: [51, 21] };
    const [node] = places.parse(joined);
    if (node?.kind !== "simple") throw new Error("no command");
    expect(places.spanOf(node.span)).toEqual({ start: 50, end: 51 });
  });
});

/** The source of each character of a word, which has to be the character itself where nothing is escaped. */
function sourceOf(script: string, { starts, ends }: ShellWord): string {
  return starts.map((start, i) => script.slice(start, ends[i])).join("");
}

describe("what eval reads", () => {
  it.each<[string, string[][]]>([
    [`eval "p a=1"`, [["p", "a=1"]]],
    [`eval p a=1`, [["p", "a=1"]]],
    [`eval "p 'x y'" z`, [["p", "x y", "z"]]],
    [`A='x y'\neval "p \\"\\$A\\""`, [["p", "x y"]]],
    [`A='x y'\neval "p $A"`, [["p", "x", "y"]]],
    [`eval "eval \\"p a=1\\""`, [["p", "a=1"]]],
    [`eval "p k=\\"['m.{*}']\\""`, [["p", "k=['m.{*}']"]]],
    [`eval "A=5"\np $A`, [["p", "5"]]],
    [
      `CMD="p a=1"\neval $CMD\neval "$CMD"`,
      [
        ["p", "a=1"],
        ["p", "a=1"],
      ],
    ],
    [`builtin eval "p a=1"`, [["p", "a=1"]]],
    [`eval -- "p a=1"`, [["p", "a=1"]]],
    [`f() { eval "$1"; }\nf "p a=1"`, [["p", "a=1"]]],
  ])("%s", (script, expected) => {
    const read = readShell(script).commands.map(({ words }) => words.map(({ text }) => text));
    expect(read.filter(([name]) => name === "p")).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['eval "p \\\\$X {a,b} c"', ["p", `${U}a`, `${U}b`, "c"]],
    ['eval "p k=\\\\$X$Y c"', ["p", `k=${U}c`]],
    ["eval \"p \\\\$X'a b' c\"", ["p", U]],
    ['eval "p \\"\\\\$X\\" c"', ["p", U]],
    ["eval \"p '\\\\$X' c\"", ["p", `\\${U}`, "c"]],
  ])("does not know what a backslash before an unknown text escapes: %s", (script, expected) => {
    const words = readShell(script).commands.at(-1)?.words ?? [];
    expect(words.map(({ text }) => text)).toEqual(expected);
  });

  it("keeps the place of every character and says that quotes are read twice", () => {
    const script = `eval "p k=1 'a b'"`;
    const words = readShell(script).commands.at(-1)?.words ?? [];
    expect(words.map((word) => sourceOf(script, word))).toEqual(["p", "k=1", "a b"]);
    expect(words.every(({ isNested }) => isNested === true)).toBe(true);
    expect(readShell("p k=1").commands[0]?.words[1]).not.toHaveProperty("isNested");
  });

  it("ends for texts that grow or call themselves", () => {
    const script = `A='eval "$A" "$A"'\neval "$A"\nf() { eval f; eval f; }\nf\n`;
    expect(readShell(script).commands.length).toBeLessThan(5_000);
  });
});
