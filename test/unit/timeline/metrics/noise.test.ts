import { describe, expect, it } from "vitest";
import { median, noiseOf, trendOf, unclearWord } from "../../../../src/core/timeline/metrics/noise.js";

describe("noiseOf", () => {
  it("knows nothing from fewer than three samples on a side", () => {
    expect(noiseOf([1, 2], [1, 2, 3])).toBeNull();
    expect(noiseOf([1, 2, 3], [])).toBeNull();
  });

  it("adds twice the standard errors of both medians", () => {
    // Median absolute deviation 1 on both sides: 2 · 1.858 / √7 each.
    const samples = [9, 9, 10, 10, 11, 11, 12];
    expect(noiseOf(samples, samples)).toBeCloseTo(Math.SQRT2 * ((2 * 1.858) / Math.sqrt(7)), 12);
    expect(noiseOf([5, 5, 5, 5, 5, 5], [7, 7, 7])).toBe(0);
  });

  it("takes half the range of few samples: one that is far off may be as good as the others", () => {
    expect(noiseOf([10, 10.01, 15], [4, 4, 4])).toBe(2.5);
    expect(noiseOf([10, 10.01, 15], [1, 4, 7])).toBe(Math.hypot(2.5, (2 * 1.858 * 3) / Math.sqrt(3)));
  });
});

describe("trendOf", () => {
  it("judges what is larger than the noise, and nothing else", () => {
    expect(trendOf(10, 8, 1, true)).toBe("better");
    expect(trendOf(10, 8, 1, false)).toBe("worse");
    expect(trendOf(10, 12, 1, true)).toBe("worse");
    expect(trendOf(10, 11, 1, true)).toBe("unclear");
    expect(trendOf(10, 20, null, true)).toBe("unclear");
    expect(trendOf(10, 10, null, true)).toBe("same");
    // The same times, added in another order.
    expect(trendOf(0.1 + 0.2, 0.3, 0, true)).toBe("same");
    expect([unclearWord(true), unclearWord(false)]).toEqual(["within noise", "noise unknown"]);
  });
});

describe("median", () => {
  it("is the middle, or the mean of the two in the middle", () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
  });
});
