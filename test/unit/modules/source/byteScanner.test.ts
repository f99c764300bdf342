import { describe, expect, it } from "vitest";
import { ByteScanner, byteOf } from "../../../../src/core/modules/source/byteScanner.js";

const scan = (text: string) => new ByteScanner(new TextEncoder().encode(text));

describe("ByteScanner", () => {
  it("passes over white space before every piece", () => {
    const scanner = scan(' { "a" :\n 12 , 0\t} ');
    expect(scanner.take(byteOf.openBrace)).toBe(true);
    expect(scanner.key() && scanner.textIs("a")).toBe(true);
    expect(scanner.count() && scanner.lastCount).toBe(12);
    expect(scanner.take(byteOf.comma) && scanner.count() && scanner.lastCount).toBe(0);
    expect(scanner.isAtEnd()).toBe(false);
    expect(scanner.take(byteOf.closeBrace) && scanner.isAtEnd()).toBe(true);
  });

  it.each(['"a\\n"', '"a\n"', '"ä"', '"a', "a", ""])("takes no text from %j", (text) => {
    expect(scan(text).text()).toBe(false);
  });

  it.each(["01", "-1", "", "x", "1234567890123456"])("takes no count from %j", (text) => {
    expect(scan(text).count()).toBe(false);
  });

  it("compares a text with one that stands earlier", () => {
    const scanner = scan('"abc""abc""abd"');
    scanner.text();
    const { textStart, textEnd } = scanner;
    expect(scanner.text() && scanner.textEquals(textStart, textEnd)).toBe(true);
    expect(scanner.text() && scanner.textEquals(textStart, textEnd)).toBe(false);
  });
});
