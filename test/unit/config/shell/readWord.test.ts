// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the words under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { endsWord, readWord } from "../../../../src/core/config/shell/readWord.js";
import type { Segment } from "../../../../src/core/config/shell/syntax.js";

function describeSegment(segment: Segment): string {
  if (segment.kind === "text") return `${segment.quoting}:${segment.text}`;
  if (segment.kind === "quote") return segment.character;
  if (segment.kind !== "parameter") return segment.kind;
  const operand = segment.operand.map(describeSegment).join("+");
  return `${segment.quoted ? "quoted " : ""}${segment.name}${segment.subscript ?? ""}${segment.operator ?? ""}${operand}`;
}

const segments = (text: string): string[] => readWord(text, 0).segments.map(describeSegment);

describe("readWord", () => {
  it.each<[string, string[]]>([
    ["ab c", ["none:ab"]],
    ["a'b c'd", ["none:a", "'", "single:b c", "'", "none:d"]],
    ['"a\\"b\\x"', ['"', "double:a", 'double:"', "double:b", "double:\\", "double:x", '"']],
    ["a\\ b", ["none:a", "escaped: ", "none:b"]],
    ["a\\\nb", ["none:a", "none:b"]],
    ["$'\\n\\x41\\101\\u00e9\\q'", ["$'", "ansi:\n", "ansi:A", "ansi:A", "ansi:é", "ansi:\\q", "'"]],
    ["$a${b}$1$@", ["a", "b", "1", "@"]],
    ['"${A[@]}"', ['"', "quoted A@", '"']],
    ["${a:-x y}", ["a:-none:x y"]],
    ['"${a:=x}"', ['"', "quoted a:=double:x", '"']],
    ["$(a ')' \"$(b)\")c", ["unknown", "none:c"]],
    ["$((1 << 2))", ["unknown"]],
    ["${#a}${a#x}${a:1:2}${!a}", ["unknown", "unknown", "unknown", "unknown"]],
    ["${x.y}${}", ["bad", "bad"]],
    ["$", ["none:$"]],
    ["<(a b)c", ["unknown", "none:c"]],
    ["'open", ["'", "single:open"]],
  ])("%j", (text, expected) => {
    expect(segments(text)).toEqual(expected);
  });

  it("ends at blanks and operators outside quotes", () => {
    expect(readWord("x a;b", 2)).toMatchObject({ start: 2, end: 3 });
    expect(["\n", "|", ")", undefined].every(endsWord)).toBe(true);
    expect(["a", "{", "#", "="].some(endsWord)).toBe(false);
  });
});
