import { describe, expect, it } from "vitest";
import { hashBytes, NameRepair, NameTable } from "../../../../src/core/timeline/import/nameTable.js";

const encode = (text: string) => new TextEncoder().encode(text);

function intern(table: NameTable, text: string, isRaw = true): number {
  const bytes = encode(text);
  return table.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length), isRaw);
}

describe("NameTable", () => {
  it("numbers different names in order of appearance, however many", () => {
    const table = new NameTable();
    for (let round = 0; round < 2; round++)
      for (let at = 0; at < 50_000; at++) expect(intern(table, `kernel ${at}`)).toBe(at);
    expect(table.texts[31_415]).toBe("kernel 31415");
  });

  it("tells names with the same hash apart", () => {
    const table = new NameTable();
    // 31·'A' + 'a' = 31·'B' + 'B': the same polynomial.
    expect(hashBytes(encode("Aa"), 0, 2)).toBe(hashBytes(encode("BB"), 0, 2));
    expect([intern(table, "Aa"), intern(table, "BB"), intern(table, "Aa")]).toEqual([0, 1, 0]);
  });

  it("decodes escapes and notes what it repaired", () => {
    const table = new NameTable();
    intern(table, "a\\u0062\\n", false);
    intern(table, "bell\u0007");
    const broken = Uint8Array.of(0x61, 0xff);
    table.intern(broken, 0, 2, hashBytes(broken, 0, 2), true);
    intern(table, "y".repeat(5_000));
    expect(table.texts.slice(0, 3)).toEqual(["ab\ufffd", "bell\ufffd", "a\ufffd"]);
    expect(table.texts[3]).toHaveLength(4_097);
    const { none, controlCharacter, invalidUtf8, cut } = NameRepair;
    expect(table.repairs).toEqual([none, controlCharacter, invalidUtf8, cut]);
  });

  it("is not slowed down by names that were made to have one hash", () => {
    const table = new NameTable();
    const blocks = ["Aa", "BB"];
    for (let at = 0; at < 2 ** 15; at++) {
      const name = Array.from({ length: 15 }, (_, bit) => blocks[(at >> bit) & 1]).join("");
      intern(table, name);
    }
    expect(table.texts.length).toBeLessThan(1_000);
    expect(table.texts.at(-1)).toMatch(/not kept/);
    expect(intern(table, "Aa".repeat(15))).toBe(0);
  });
});
