import { describe, expect, it } from "vitest";
import { DecimalNumber } from "../../../../../src/core/timeline/import/chrome/decimalNumber.js";
import { WordBytes } from "../../../../../src/core/timeline/import/chrome/jsonBytes.js";

function read(text: string): number | undefined {
  const number = new DecimalNumber();
  number.read(WordBytes.of(new TextEncoder().encode(`${text},`)), 0);
  return number.inThousandths();
}

describe("DecimalNumber", () => {
  it.each([
    ["0", 0],
    ["12", 12_000],
    ["1234", 1_234_000],
    ["12345678.5", 12_345_678_500],
    ["12.5", 12_500],
    ["12.05", 12_050],
    ["5168897882552.211", 5_168_897_882_552_211],
    ["0.0004", 0],
    ["0.0005", 1],
    ["0.9996", 1_000],
    ["-3.25", -3_250],
    ["1e3", 1_000_000],
    ["1.5E-2", 15],
    ["5.168897882552211e12", 5_168_897_882_552_211],
    ["1e-05", 0],
    ["1234e-400", 0],
    ["0e999", 0],
  ])("reads %s exactly", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it("reads digits up to the end of the bytes", () => {
    for (const text of ["1", "123", "1234", "12345", "12345678", "1234.5678"]) {
      const number = new DecimalNumber();
      expect(number.read(WordBytes.of(new TextEncoder().encode(text)), 0)).toBe(text.length);
      expect(number.inThousandths()).toBe(Math.round(Number(text) * 1_000));
    }
  });

  it.each(["", "-", "e5", "abc", "1e308", "9007199254740993", "1e", "/234", ":234"])("has no value for %j", (text) => {
    expect(read(text)).toBeUndefined();
  });
});
