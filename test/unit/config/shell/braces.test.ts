import { describe, expect, it } from "vitest";
import { expandBraces } from "../../../../src/core/config/shell/braces.js";
import { readWord } from "../../../../src/core/config/shell/readWord.js";

function expand(text: string): string[] | undefined {
  const expansion = expandBraces(readWord(text, 0));
  return expansion?.words.map((segments) =>
    segments
      .map((segment) =>
        segment.kind === "text" ? segment.text : segment.kind === "parameter" ? `<${segment.name}>` : "",
      )
      .join(""),
  );
}

describe("expandBraces", () => {
  it.each<[string, string[]]>([
    ["a{b,c}d", ["abd", "acd"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
    ["{0..3}", ["0", "1", "2", "3"]],
    ["{3..0..2}", ["3", "1"]],
    ["{08..10}", ["08", "09", "10"]],
    ["{-1..1}", ["-1", "0", "1"]],
    ["{a..c}", ["a", "b", "c"]],
    ["{,x}", ["", "x"]],
    ["{x{a,b}", ["{xa", "{xb"]],
    ["$A{x,y}", ["<Ax>", "<Ay>"]],
  ])("%s", (text, words) => {
    expect(expand(text)).toEqual(words);
  });

  it.each([
    "abc",
    "{a}",
    "{*}",
    "{a,b",
    "'{a,b}'",
    '"{a,b}"',
    "\\{a,b}",
    "{0..}",
    "{1..99999}",
    `${"{a,b}".repeat(12)}`,
  ])("leaves %s as written", (text) => {
    expect(expand(text)).toBeUndefined();
  });

  it("says which braces", () => {
    expect(expandBraces(readWord("x{y}{a,b}", 0))?.braces).toEqual({ start: 4, end: 9 });
  });
});
