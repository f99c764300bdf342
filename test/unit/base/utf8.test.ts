import { describe, expect, it } from "vitest";
import { decodeUtf8, parseJsonBytes } from "../../../src/core/base/utf8.js";

const encode = (text: string) => new TextEncoder().encode(text);

describe("decodeUtf8", () => {
  it("decodes valid text and refuses the rest", () => {
    expect(decodeUtf8(encode("é𝔸"))).toBe("é𝔸");
    expect(decodeUtf8(new Uint8Array([0xc3]))).toBeUndefined();
    expect(decodeUtf8(new Uint8Array([0xed, 0xa0, 0x80]))).toBeUndefined();
  });
});

describe("parseJsonBytes", () => {
  it("says why there is no value", () => {
    expect(parseJsonBytes(encode("null"))).toEqual({ value: null });
    expect(parseJsonBytes(encode("{"))).toEqual({ cause: "It is not valid JSON." });
    expect(parseJsonBytes(new Uint8Array([0xff]))).toEqual({ cause: "It is not UTF-8 text." });
  });

  it("tells too deep from invalid", () => {
    const nested = (depth: number) => encode("[".repeat(depth) + "]".repeat(depth));
    expect(parseJsonBytes(nested(256))).toHaveProperty("value");
    for (const depth of [257, 60_000]) {
      expect(parseJsonBytes(nested(depth))).toEqual({ cause: "It is nested more than 256 levels deep." });
    }
  });

  it("reads the numbers that Python writes as null, outside of strings only", () => {
    const text = '{"a": [0.0, Infinity, -Infinity], "b": NaN, "c": "NaN \\"Infinity", "d": "x"}';
    expect(parseJsonBytes(encode(text))).toEqual({
      value: { a: [0, null, null], b: null, c: 'NaN "Infinity', d: "x" },
    });
    expect(parseJsonBytes(encode("Infinity"))).toEqual({ value: null });
    expect(parseJsonBytes(encode("InfinityX"))).toEqual({ cause: "It is not valid JSON." });
  });

  it("looks at a hostile text once", () => {
    const quotes = encode(`NaN${'"\\'.repeat(2_000_000)}`);
    expect(parseJsonBytes(quotes)).toEqual({ cause: "It is not valid JSON." });
  });
});
