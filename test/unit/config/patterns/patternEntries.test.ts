import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../src/core/config/catalogue.js";
import {
  type PatternEntry,
  readPatternList,
  removePatternFix,
  replacePatternFix,
  shortPattern,
} from "../../../../src/core/config/patterns/patternEntries.js";
import { plainFile } from "../rules/plainFile.js";

function entriesOf(text: string): readonly PatternEntry[] {
  const { document, written } = plainFile(text, {});
  return readPatternList(document, written[0]?.entry.value, undefined)?.entries ?? [];
}

function edited(
  text: string,
  index: number,
  change: (entry: PatternEntry) => readonly Parameters<typeof applyEdits>[1][],
) {
  const [fix] = entriesOf(text)
    .slice(index, index + 1)
    .flatMap(change);
  return fix && applyEdits(text, fix);
}

describe("readPatternList", () => {
  it.each<[string, string[]]>([
    ["key: [a, 'b.{*}', 3, ???]\n", ["a", "b.{*}"]],
    ["key:\n  - a\n  - b.{*}\n", ["a", "b.{*}"]],
    ["key: a\n", []],
    ["key: [a.{*}]\n", []],
    [`key: [${"a, ".repeat(1_000)}]\n`, Array.from({ length: 500 }, () => "a")],
  ])("%j", (text, expected) => {
    expect(entriesOf(text).map((entry) => entry.text)).toEqual(expected);
  });
});

describe("replacePatternFix", () => {
  it.each<[string, string[], string | undefined]>([
    ["key: [a, b]\n", ["x.{*}"], 'key: ["x.{*}", b]\n'],
    ["key: [a, b]\n", ["x", "y"], 'key: ["x", "y", b]\n'],
    ["key:\n  - a\n  - b\n", ["x", "y"], "key:\n  - x\n  - y\n  - b\n"],
    ["key:\n  - 'a'\n", ["x"], 'key:\n  - "x"\n'],
    ["key:\n- - a\n", ["x"], undefined],
  ])("%j", (text, texts, expected) => {
    expect(edited(text, 0, (entry) => replacePatternFix(entry, texts))).toBe(expected);
  });

  it("counts many patterns instead of listing them, and cuts long ones", () => {
    const [entry] = entriesOf("key: [a]\n");
    if (entry === undefined) throw new Error("no entry");
    expect(replacePatternFix(entry, ["a", "b", "c", "d"])[0]?.title).toBe("Write 4 patterns");
    expect(replacePatternFix(entry, ["x".repeat(6_000)])[0]?.title).toBe(`Write ${"x".repeat(60)}…`);
  });
});

describe("removePatternFix", () => {
  it.each<[string, number, string | undefined]>([
    ["key: [a, b]\n", 0, "key: [b]\n"],
    ["key: [a, b]\n", 1, "key: [a]\n"],
    ["key: [a]\n", 0, undefined],
    ["key:\n  - a\n  - b\n", 0, "key:\n  - b\n"],
    ["key:\n  - a\n  - b", 1, "key:\n  - a"],
  ])("%j without entry %d", (text, index, expected) => {
    expect(edited(text, index, removePatternFix)).toBe(expected);
  });
});

describe("shortPattern", () => {
  it("cuts at 60 characters", () => {
    expect(shortPattern("x".repeat(60))).toBe("x".repeat(60));
    expect(shortPattern("x".repeat(61))).toBe(`${"x".repeat(60)}…`);
  });
});
