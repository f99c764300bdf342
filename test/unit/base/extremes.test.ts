import { describe, expect, it } from "vitest";
import { leastOf, mostOf } from "../../../src/core/base/extremes.js";

describe("extremes", () => {
  it("are those of Math.min and Math.max, of any number of values", () => {
    for (const values of [[], [3], [-1, 2, 0], [Number.NaN, 1]]) {
      expect(leastOf(values)).toBe(Math.min(...values));
      expect(mostOf(values)).toBe(Math.max(...values));
    }
    const many = Float64Array.from({ length: 500_000 }, (_, at) => at);
    expect([leastOf(many), mostOf(many)]).toEqual([0, 499_999]);
  });
});
