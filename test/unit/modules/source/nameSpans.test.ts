import { describe, expect, it } from "vitest";
import { CountList, codesText, spansOf, spanText } from "../../../../src/core/modules/source/nameSpans.js";

describe("spansOf", () => {
  it("keeps every character of every name", () => {
    const names = ["a.b", "", "ä.\u{1f600}", "\ud800"];
    const spans = spansOf(names);
    expect(names.map((_, at) => spanText(spans, at))).toEqual(names);
    expect(spans.count).toBe(4);
  });
});

describe("codesText", () => {
  it("reads long ranges", () => {
    const text = "abc".repeat(5000);
    expect(codesText(new TextEncoder().encode(text), 1, text.length)).toBe(text.slice(1));
  });
});

describe("CountList", () => {
  it("grows", () => {
    const list = new CountList();
    for (let at = 0; at < 3000; at += 1) list.push(at * 2);
    expect([list.length, list.values[2999]]).toEqual([3000, 5998]);
  });
});
