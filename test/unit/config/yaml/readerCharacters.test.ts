import { describe, expect, it } from "vitest";
import { charactersRefused, withoutRefused } from "../../../../src/core/config/yaml/readerCharacters.js";
import { engine, summaryOf } from "../checkedText.js";

describe("charactersRefused", () => {
  it.each([
    "\0",
    "\x08",
    "\x0b",
    "\x1b",
    "\x7f",
    "\x80",
    "\x84",
    "\x86",
    "\x9f",
    "\ufffe",
    "\uffff",
    "\ud800",
    "\udc00",
  ])("finds %j, and puts something else there", (letter) => {
    const text = `a: 1 # ${letter}!`;
    expect(charactersRefused(text, 9).map(({ start, end }) => text.slice(start, end))).toEqual([letter]);
    expect(withoutRefused(text)).toBe("a: 1 # \ufffd!");
  });

  it("takes everything else", () => {
    expect(charactersRefused("\t\n\r ~\x85\xa0\ud7ff\ue000\ufeff\ufffd😀", 9)).toEqual([]);
  });

  it("stops at its limit", () => {
    expect(charactersRefused("\0\0\0", 2)).toHaveLength(2);
  });
});

describe("check", () => {
  it.each(["\0", "\x1b[31m", "\x7f", "\x80\x9f"])(
    "reports %j in a comment and in a value, with everything else",
    (bad) => {
      const text = engine(`# ${bad} here`, `dtype: "a${bad}"`, "seed: text");
      const found = summaryOf("yaml-syntax", text);
      expect(new Set(found)).toEqual(
        new Set([...bad].filter((letter) => !/[[31m]/.test(letter)).map((l) => `error yaml-syntax|${l}`)),
      );
      expect(summaryOf("wrong-type", text)).toEqual(["error wrong-type|text"]);
    },
  );
});
