import { describe, expect, it } from "vitest";
import { type CacheHoardsDialect, cacheHoardsRule } from "../../../../src/core/config/rules/cacheHoards.js";
import { engineExample } from "../../../../src/core/config/rules/example.js";
import { type PlainFile, plainFile, told } from "./plainFile.js";

function found(text: string, dialect: Partial<CacheHoardsDialect<PlainFile>> = {}): readonly string[] {
  const rule = cacheHoardsRule<PlainFile>({
    explanation: "A framework of one table.",
    example: engineExample("seed: a"),
    cacheOf: ({ written: [limit] }) =>
      limit && { limitGb: Number(text.split(": ")[1]), entry: limit.entry, isDefault: false },
    variesBecause: () => "lengths vary",
    fixes: (_, limitGb) => [{ title: "Set", edits: [{ span: { start: 0, end: 1 }, newText: String(limitGb) }] }],
    ...dialect,
  });
  return told(text, rule.check(plainFile(text, {})));
}

describe("cacheHoardsRule", () => {
  it("finds a limit of 1 and more where shapes vary, and offers the small one that was measured", () => {
    expect(found("limit: 4")).toEqual([
      "information limit: 4: A cache limit of 4 hoards pinned buffers of shapes that do not come back, because lengths vary; steps get slower until it is full. 0.25 was measured to be smaller and faster. → 0.25",
    ]);
    expect(found("limit: 1")).toHaveLength(1);
    expect(found("limit: 0.99")).toEqual([]);
  });

  it("is silent where shapes repeat, or where there is no cache", () => {
    expect(found("limit: 4", { variesBecause: () => undefined })).toEqual([]);
    expect(found("limit: 4", { cacheOf: () => undefined })).toEqual([]);
  });

  it("says that the file leaves the limit at its default", () => {
    const atDefault: CacheHoardsDialect<PlainFile>["cacheOf"] = ({ written: [first] }) =>
      first && { limitGb: 4, entry: first.entry, isDefault: true };
    expect(found("switch: true", { cacheOf: atDefault })[0]).toContain("The default cache limit, 4, hoards");
  });
});
