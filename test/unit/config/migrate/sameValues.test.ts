import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { asMapping } from "../../../../src/core/config/document/configNode.js";
import { differingPath } from "../../../../src/core/config/migrate/sameValues.js";

function differing(before: string, after: string): string | undefined {
  const entries = asMapping(parseConfig(before, "pyyaml").root)?.entries ?? [];
  return differingPath(
    entries.map(({ key, value }) => ({ value, to: [key] })),
    parseConfig(after, "pyyaml"),
  );
}

describe("differingPath", () => {
  it("sees through notation, order, aliases and empty blocks", () => {
    expect(
      differing("a: {b: &x [1, '2'], c: *x}\nd: {}\n", "a:\n  c: [1, \"2\"]\n  b:\n  - 1\n  - '2'\n"),
    ).toBeUndefined();
  });

  it.each([
    ["a: 1\n", "a: '1'\n", "a"],
    ["a: 1\n", "a: 1.0\n", "a"],
    ["a: {b: 1}\n", "a: {}\n", "a.b"],
    ["a: 1\n", "a: 1\nb: {c: 2}\n", "b.c"],
    ["a: [{b: 1}]\n", "a: [{b: 2}]\n", "a"],
    ["a: ~\n", "a: 'null'\n", "a"],
  ])("finds the difference of %j and %j", (before, after, path) => {
    expect(differing(before, after)).toBe(path);
  });

  it("gives up on aliases that multiply", () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(", ")}]`,
    );
    const text = ["l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1]", ...levels, ""].join("\n");
    expect(differing(text, text)).toBe("");
  });
});
