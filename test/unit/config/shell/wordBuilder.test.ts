import { describe, expect, it } from "vitest";
import type { ExpandedWord } from "../../../../src/core/config/shell/scope.js";
import { plainPiece, traceText } from "../../../../src/core/config/shell/tracedText.js";
import { WordBuilder } from "../../../../src/core/config/shell/wordBuilder.js";

const SPAN = { start: 100, end: 102 };
const USE = { name: "V", span: SPAN };

function texts(words: readonly ExpandedWord[]): string[] {
  return words.map((word) => traceText(word.pieces).text);
}

describe("WordBuilder", () => {
  it("splits at blanks, keeps places and says which variable did it", () => {
    const builder = new WordBuilder(SPAN, undefined);
    builder.addSplit([plainPiece(" a  b\n", 0), plainPiece("c", 10)], USE);
    const words = builder.finish();
    expect(texts(words)).toEqual(["a", "b", "c"]);
    expect(words.map((word) => [word.span, word.splitFrom?.name])).toEqual([
      [{ start: 1, end: 2 }, "V"],
      [{ start: 4, end: 5 }, "V"],
      [{ start: 10, end: 11 }, "V"],
    ]);
  });

  it("joins split text with what stands beside it", () => {
    const builder = new WordBuilder(SPAN, undefined);
    builder.add(plainPiece("k=", 100));
    builder.addSplit([plainPiece("a b", 0)], USE);
    expect(texts(builder.finish())).toEqual(["k=a", "b"]);
  });

  it("makes no word of nothing, and an empty one of quotes", () => {
    expect(new WordBuilder(SPAN, undefined).finish()).toEqual([]);
    const opened = new WordBuilder(SPAN, undefined);
    opened.open();
    expect(texts(opened.finish())).toEqual([""]);
    const list = new WordBuilder(SPAN, undefined);
    list.add({ kind: "quote", character: '"', start: 100, end: 101 });
    list.addEmptyList();
    expect(list.finish()).toEqual([]);
  });

  it("keeps what is known about a whole element and forgets it when text follows", () => {
    const element: ExpandedWord = {
      pieces: [plainPiece("a", 5)],
      span: { start: 4, end: 7 },
      assumesDefault: true,
      braces: { start: 1, end: 2 },
    };
    const alone = new WordBuilder(SPAN, undefined);
    alone.addWhole(element.pieces, element);
    expect(alone.finish()).toMatchObject([{ span: { start: 4, end: 7 }, braces: { start: 1 }, assumesDefault: true }]);
    const longer = new WordBuilder(SPAN, undefined);
    longer.addWhole(element.pieces, element);
    longer.add(plainPiece("x", 101));
    expect(longer.finish()[0]?.braces).toBeUndefined();
  });
});
