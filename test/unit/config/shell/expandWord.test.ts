// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the words under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { countAlternatives, WordExpander } from "../../../../src/core/config/shell/expandWord.js";
import { readWord } from "../../../../src/core/config/shell/readWord.js";
import { Scope, type Value } from "../../../../src/core/config/shell/scope.js";
import { plainPiece, traceText } from "../../../../src/core/config/shell/tracedText.js";

const scalar = (text: string): Value => ({ kind: "scalar", pieces: [plainPiece(text, 0)], assumesDefault: false });

function scopeWith(values: Record<string, readonly Value[]>): Scope {
  const scope = new Scope();
  for (const [name, list] of Object.entries(values)) scope.set(name, list);
  return scope;
}

function expand(text: string, scope: Scope, alternative = 0, charactersLeft = 1000): string[] {
  const expander = new WordExpander(scope, undefined, { charactersLeft }, alternative);
  return expander.words(readWord(text, 0)).map((word) => traceText(word.pieces).text);
}

describe("WordExpander", () => {
  const scope = scopeWith({ V: [scalar("a b")], E: [scalar("")], X: [scalar("1"), scalar("2")] });

  it.each([
    ["$V", ["a", "b"]],
    ['"$V"', ["a b"]],
    ["p$V", ["pa", "b"]],
    ["$E", []],
    ['"$E"', [""]],
    ["${E:-d}${E-n}", ["d"]],
    ["${N:+x}", []],
    ["${V:+x y}", ["x", "y"]],
    ["$N", [UNKNOWN_MARK]],
    ["${V?x}", ["a", "b"]],
    ["{x,$E}", ["x"]],
  ])("%s", (text, words) => {
    expect(expand(text, scope)).toEqual(words);
  });

  it("never splits an assignment", () => {
    const expander = new WordExpander(scope, undefined, { charactersLeft: 1000 }, 0);
    const value = expander.scalar(readWord("$V{a,b}", 0));
    expect(value.kind === "scalar" && traceText(value.pieces).text).toBe("a b{a,b}");
  });

  it("takes the alternative that is asked for", () => {
    expect(countAlternatives(readWord("${N:-$X}", 0), scope)).toBe(2);
    expect([expand("k=$X", scope, 0), expand("k=$X", scope, 1)]).toEqual([["k=1"], ["k=2"]]);
  });

  it("gives unknown text when the budget is spent", () => {
    expect(expand('"$V$V$V"', scope, 0, 30)).toEqual([`a ba b${UNKNOWN_MARK}${UNKNOWN_MARK}`]);
  });
});
