import { describe, expect, it } from "vitest";
import { WordBytes } from "../../../../../src/core/timeline/import/chrome/jsonBytes.js";
import { Separator } from "../../../../../src/core/timeline/import/chrome/separators.js";

const encode = (text: string) => WordBytes.of(new TextEncoder().encode(text));

/** Learns the whole text at the place. */
function learn(place: Separator, text: string): Separator | null {
  return place.learn(encode(text), 0, text.length);
}

function next(place: Separator, text: string): Separator | null {
  const bytes = encode(text);
  return place.next(bytes.view, 0, bytes.capacity);
}

describe("Separator", () => {
  it("knows texts of every length again, and no others", () => {
    for (let length = 1; length <= 40; length++) {
      const place = Separator.start(10);
      const text = "abcdefgh".repeat(5).slice(0, length);
      const learned = learn(place, text);
      expect(learned?.length).toBe(length);
      expect(next(place, `${text}1`)).toBe(learned);
      for (let at = 0; at < length; at++) expect(next(place, `${text.slice(0, at)}X${text.slice(at + 1)}1`)).toBeNull();
    }
  });

  it("wants the beginning of a value behind it, and an object's end alone nothing", () => {
    const place = Separator.start(10);
    const comma = learn(place, ', "ts": ');
    expect([next(place, ', "ts":  5'), next(place, ', "ts": ')]).toEqual([null, null]);
    expect(next(place, ', "ts": 5')).toBe(comma);
    const brace = learn(place, "\n  }");
    if (brace !== null) brace.endsObject = true;
    expect([next(place, "\n  } ,"), next(place, "\n  }")]).toEqual([brace, brace]);
    expect(next(place, "\n  ")).toBeNull();
  });

  it("keeps several texts per place, and places apart", () => {
    const place = Separator.start(100);
    const texts = Array.from({ length: 16 }, (_, at) => `, "key ${at}": `);
    const learned = texts.map((text) => learn(place, text));
    for (let round = 0; round < 2; round++)
      for (const [at, text] of texts.entries()) expect(next(place, `${text}1`)).toBe(learned[at]);
    expect(learn(place, ', "one too many": ')).toBeNull();
    expect(next(learned[0]?.insideValue ?? place, `${texts[0]}1`)).toBeNull();
  });

  it("learns no more than it may, no long texts and nothing but text", () => {
    const place = Separator.start(2);
    expect(learn(place, "x".repeat(300))).toBeNull();
    expect(learn(place, "\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000")).toBeNull();
    expect(place.learn(WordBytes.of(Uint8Array.of(0x2c, 0xff)), 0, 2)).toBeNull();
    const first = learn(place, "a");
    expect(learn(first?.insideValue ?? place, "b")).not.toBeNull();
    expect(learn(place, "c")).toBeNull();
  });
});
