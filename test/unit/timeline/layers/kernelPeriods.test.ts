import { describe, expect, it } from "vitest";
import { findPeriods } from "../../../../src/core/timeline/layers/kernelPeriods.js";

describe("findPeriods", () => {
  it("finds layers between other work, forward and backward", () => {
    const forward = Array.from({ length: 12 }, () => [1, 2, 3, 2, 4, 5]).flat();
    const backward = Array.from({ length: 12 }, () => [6, 7, 1, 2, 8, 9, 10, 2, 11]).flat();
    const found = findPeriods(Uint32Array.from([20, 21, ...forward, 22, 23, 24, 25, ...backward, 26]));
    expect(found).toContainEqual({ from: 2, period: 6, repeats: 12 });
    expect(found).toContainEqual({ from: 78, period: 9, repeats: 12 });
    expect(found).toHaveLength(2);
  });

  it("forgives a layer that differs in one kernel", () => {
    const layer = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const other = [1, 2, 3, 99, 5, 6, 7, 8, 9, 10, 11, 12];
    expect(findPeriods(Uint32Array.from([...layer, ...layer, ...other, ...layer, ...layer]))).toEqual([
      { from: 0, period: 12, repeats: 5 },
    ]);
  });

  it("ends on a sequence of one name and on none", () => {
    expect(findPeriods(new Uint32Array(100_000))).toEqual([]);
    expect(findPeriods(new Uint32Array())).toEqual([]);
  });
});
