import { describe, expect, it } from "vitest";
import { intendedText, quoteText, readRawList } from "../../../../src/core/config/document/rawList.js";

function entries(text: string): readonly string[] | undefined {
  return readRawList(text, text.indexOf("["))?.entries.map((entry) => entry.text);
}

describe("readRawList", () => {
  it.each<[string, readonly string[] | undefined]>([
    ["[]", []],
    ["[a, b]", ["a", "b"]],
    ["[model.layers.{*}, model.layers.[0-3]]", ["model.layers.{*}", "model.layers.[0-3]"]],
    ["[a.{0,1}, b]", ["a.{0,1}", "b"]],
    ["[\"a,]b\", 'it''s, fine', c]", ['"a,]b"', "'it''s, fine'", "c"]],
    ["[a, # not, here]\n b]", ["a", "b"]],
    ["[\n  a,\n]", ["a"]],
    ["[don't]", ["don't"]],
    ["[a", undefined],
    ['["a]', undefined],
  ])("splits %j", (text, expected) => {
    expect(entries(text)).toEqual(expected);
  });

  it("says where the list ends and where entries stand", () => {
    const text = "k: [ a.{*} , 'b' ] # c";
    const list = readRawList(text, 3);
    expect(text.slice(3, list?.end)).toBe("[ a.{*} , 'b' ]");
    expect(list?.entries.map((entry) => text.slice(entry.span.start, entry.span.end))).toEqual(["a.{*}", "'b'"]);
    expect(list?.entries.map((entry) => entry.quoted)).toEqual([false, true]);
  });

  it("starts at brackets only", () => {
    expect(readRawList("a", 0)).toBeUndefined();
  });
});

describe("quoting", () => {
  it("is undone by intendedText", () => {
    for (const text of ["model.layers.{*}", 'with "quotes"', "back\\slash", "ünï"]) {
      const quoted = quoteText(text);
      expect(intendedText({ text: quoted, quoted: true, span: { start: 0, end: quoted.length } })).toBe(text);
    }
    expect(intendedText({ text: "'it''s'", quoted: true, span: { start: 0, end: 7 } })).toBe("it's");
    expect(intendedText({ text: '"\\x41"', quoted: true, span: { start: 0, end: 6 } })).toBe("\\x41");
  });
});
