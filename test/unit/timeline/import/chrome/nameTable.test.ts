// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { WordBytes } from "../../../../../src/core/timeline/import/chrome/jsonBytes.js";
import { NameRepair } from "../../../../../src/core/timeline/import/chrome/nameRepair.js";
import { hashText, NameTable } from "../../../../../src/core/timeline/import/chrome/nameTable.js";

const encode = (text: string) => WordBytes.of(new TextEncoder().encode(text));

function hashOf(text: string): number {
  const bytes = encode(text);
  return hashText(bytes.view, 0, bytes.capacity);
}

function intern(table: NameTable, text: string, isRaw = true): number {
  const bytes = encode(text);
  return table.intern(bytes, 0, bytes.capacity, hashOf(text), isRaw);
}

/** Two blocks of eight letters that, behind `prefix`, have the same hash. */
function collision(prefix: string): [string, string] {
  const blocks = new Map<number, string>();
  // Both words of a block must differ: one alone leads to a hash of its own.
  for (let at = 1; at < 2 ** 20; at++) {
    const block = (Math.imul(at, 0x9e3779b1) >>> 0).toString(36).padStart(8, "_");
    const hash = hashOf(prefix + block);
    const known = blocks.get(hash);
    if (known !== undefined) return [known, block];
    blocks.set(hash, block);
  }
  throw new Error("no collision");
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
    const [one, other] = collision("");
    expect([intern(table, one), intern(table, other), intern(table, one)]).toEqual([0, 1, 0]);
  });

  it("decodes escapes and notes what it repaired", () => {
    const table = new NameTable();
    intern(table, "a\\u0062\\n", false);
    intern(table, "bell\u0007");
    const broken = WordBytes.of(Uint8Array.of(0x61, 0xff));
    table.intern(broken, 0, 2, hashText(broken.view, 0, 2), true);
    intern(table, "y".repeat(5_000));
    expect(table.texts.slice(0, 3)).toEqual(["ab\ufffd", "bell\ufffd", "a\ufffd"]);
    expect(table.texts[3]).toHaveLength(4_097);
    const { none, controlCharacter, invalidUtf8, cut } = NameRepair;
    expect(table.repairs).toEqual([none, controlCharacter, invalidUtf8, cut]);
  });

  it("is not slowed down by names that were made to have one hash", () => {
    const table = new NameTable();
    const pairs: [string, string][] = [];
    for (let prefix = ""; pairs.length < 10; prefix += pairs.at(-1)?.[0] ?? "") pairs.push(collision(prefix));
    for (let at = 0; at < 2 ** pairs.length; at++)
      intern(table, pairs.map((pair, bit) => pair[(at >> bit) & 1]).join(""));
    expect(table.texts.length).toBeLessThan(1_000);
    expect(table.texts.at(-1)).toMatch(/not kept/);
    expect(intern(table, pairs.map(([first]) => first).join(""))).toBe(0);
  });
});
