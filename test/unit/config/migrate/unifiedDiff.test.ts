import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../../src/core/config/migrate/unifiedDiff.js";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join("");

describe("unifiedDiff", () => {
  it("shows three lines around, and joins changes that are near", () => {
    const before = numbers(1, 30);
    const after = before.replace("5\n", "five\n").replace("11\n", "").replace("25\n", "25\nnew\n");
    expect(unifiedDiff("a.yaml", before, after).split("\n")).toEqual([
      "--- a.yaml",
      "+++ a.yaml",
      "@@ -2,13 +2,12 @@",
      ...[" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8", " 9", " 10", "-11", " 12", " 13", " 14"],
      "@@ -23,6 +22,7 @@",
      ...[" 23", " 24", " 25", "+new", " 26", " 27", " 28"],
      "",
    ]);
  });

  it("counts empty ranges and single lines as diff does, and marks a missing last break", () => {
    expect(unifiedDiff("a", "", "x\n")).toBe("--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
    expect(unifiedDiff("a", "x", "y\n")).toBe("--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n");
    expect(unifiedDiff("a", "x", "x")).toBe("");
  });
});
