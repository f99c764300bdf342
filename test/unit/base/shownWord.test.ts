import { describe, expect, it } from "vitest";
import { shownSentences, shownWord } from "../../../src/core/base/shownWord.js";

describe("shownWord", () => {
  it("leaves what is short and marks what is cut", () => {
    expect(shownWord("a".repeat(200))).toBe("a".repeat(200));
    expect(shownWord("a".repeat(201))).toBe(`${"a".repeat(200)}…`);
    expect(shownWord("abcdef", 3)).toBe("abc…");
    expect(shownWord("", 0)).toBe("");
  });

  it("cuts no character in two", () => {
    expect(shownWord("ab\u{1f600}cd", 3)).toBe("ab…");
    expect(shownWord("ab\u{1f600}cd", 4)).toBe("ab\u{1f600}…");
  });
});

describe("shownSentences", () => {
  it("leaves sentences without long words", () => {
    const text = "One word after another. ".repeat(20);
    expect(shownSentences(text)).toBe(text);
  });

  it("cuts long words and keeps the rest", () => {
    expect(shownSentences(`The key ${"a".repeat(60_000)} is unknown. Did you mean ${"b".repeat(60_000)}?`)).toBe(
      `The key ${"a".repeat(200)}… is unknown. Did you mean ${"b".repeat(200)}…`,
    );
  });

  it("ends where there are too many of them", () => {
    expect(shownSentences("word ".repeat(60_000))).toHaveLength(1_201);
  });
});
