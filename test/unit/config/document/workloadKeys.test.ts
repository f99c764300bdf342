import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { lazyLines } from "../../../../src/core/config/document/position.js";
import { combined, known, mapped, unknown, WorkloadKeys } from "../../../../src/core/config/document/workloadKeys.js";

function keysOf(text: string, follows = true) {
  const document = parseConfig(text, "omegaconf");
  return new WorkloadKeys(document, "verl", follows, (key) => (key === "d" ? 7 : undefined), lazyLines(document.text));
}

describe("a key", () => {
  it("is a value with its place, a default, or unknown", () => {
    const keys = keysOf("a: 1\nb:\n  c: 3\n");
    const from = [{ kind: "key", key: "b.c", span: { start: 13, end: 14 }, line: 3 }];
    expect(keys.count("b.c")).toEqual({ kind: "value", value: 3, from });
    expect(keys.count("d")).toMatchObject({ value: 7, from: [{ kind: "default", key: "d", framework: "verl" }] });
    expect(keys.count("e")).toEqual({ kind: "unknown", why: "e is not in this file" });
    expect(keys.problems).toEqual([]);
  });

  it("takes null for not written", () => {
    const keys = keysOf("d: null\n");
    expect([keys.isWritten("d"), keys.count("d")]).toMatchObject([false, { value: 7 }]);
  });

  it("follows references only where the reader does", () => {
    expect(keysOf(`a: \${b}\nb: 4\n`).count("a")).toMatchObject({ value: 4 });
    expect(keysOf(`a: \${b}\nb: 4\n`, false).count("a")).toMatchObject({ kind: "unknown" });
    expect(keysOf(`a: \${a}\n`).count("a")).toMatchObject({ kind: "unknown" });
    expect(keysOf("a: ???\n").count("a")).toMatchObject({ kind: "unknown" });
  });

  it.each(["0", "-1", "1.0", "'4'", "true", "[1]", "{a: 1}", ".nan"])(
    "is refused as a count when it is %s",
    (value) => {
      const keys = keysOf(`a: ${value}\n`);
      expect(keys.count("a").kind).toBe("unknown");
      expect(keys.problems).toMatchObject([
        { code: "WORKLOAD_VALUE_INVALID", nextStep: "Write a whole number of at least 1." },
      ]);
      keys.count("a");
      expect(keys.problems).toHaveLength(1);
    },
  );

  it("is a switch, a number or a text of its own kind only", () => {
    const keys = keysOf("a: yes\nb: 0.5\nc: text\n");
    expect([keys.flag("a"), keys.number("b"), keys.text("c")]).toMatchObject([
      { value: true },
      { value: 0.5 },
      { value: "text" },
    ]);
    expect([keys.flag("c"), keys.number("a"), keys.text("b")].map(({ kind }) => kind)).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
    expect(keys.problems).toHaveLength(3);
  });
});

describe("fields of two", () => {
  const range = { kind: "range", least: 1, likely: 4, from: [] } as const;

  it("are values of values, ranges with a range, unknown with an unknown", () => {
    const product = (left: number, right: number) => left * right;
    expect(combined(known(2), known(3), product)).toMatchObject({ kind: "value", value: 6 });
    expect(combined(known(2), { ...range, most: 5 }, product)).toEqual({
      kind: "range",
      least: 2,
      likely: 8,
      most: 10,
      from: [],
    });
    expect(combined(range, known(2), product)).toEqual({ kind: "range", least: 2, likely: 8, from: [] });
    expect(combined(unknown("why"), known(2), product)).toEqual({ kind: "unknown", why: "why" });
    expect(mapped(range, (value) => value + 1)).toMatchObject({ least: 2, likely: 5 });
  });
});
