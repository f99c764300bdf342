import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spansOf } from "../../../../src/core/modules/source/nameSpans.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";

const segment = fc.oneof(
  fc.constantFrom("layers", "0", "00", "7", "10", "1234567890", "999999999", "w", "", "#", "ä"),
  fc.nat(30).map(String),
);
const name = fc.array(segment, { maxLength: 6 }).map((parts) => parts.join("."));

describe("TensorNames", () => {
  it("keeps names, in order and each once, as a set of texts does", () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), name, (names, other) => {
        const set = new Set(names);
        const found = TensorNames.of(names);
        expect([...found]).toEqual([...set]);
        expect(found.size).toBe(set.size);
        expect(found.has(other)).toBe(set.has(other));
        for (const one of names) expect(found.has(one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("gives a name that it has its number", () => {
    const found = TensorNames.of(["a.0.w", "a.1.w"]);
    expect(found.add(spansOf(["b", "a.1.w"]), 1)).toBe(1);
    expect(found.add(spansOf(["b", "a.1.w"]), 0)).toBe(2);
  });

  it("keeps names that differ in their numbers under one shape", () => {
    const found = TensorNames.of(["m.0.e.5.w", "m.12.e.7.w", "m.0.e.05.w", "m.0.e.5"]);
    expect(found.shapes).toEqual(["m.0.e.0.w", "m.0.e.05.w", "m.0.e.5"]);
    expect([found.shapeOf(1), found.numberOf(1, 0), found.numberOf(1, 1)]).toEqual([0, 12, 7]);
    expect(found.textOf(2)).toBe("m.0.e.05.w");
  });

  it("grows, and finds every one of many names again", () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `layers.${at % 130}.experts.${Math.floor(at / 130)}.w`);
    const found = TensorNames.of(names);
    expect(found.size).toBe(names.length);
    expect(names.every((one) => found.has(one))).toBe(true);
    expect(found.has("layers.130.experts.0.w")).toBe(false);
  });

  it("gives its first names as a set of their own", () => {
    expect([...TensorNames.of(["a.1.w", "b.w", "c.w"]).first(2)]).toEqual(["a.1.w", "b.w"]);
  });
});
