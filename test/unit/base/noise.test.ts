import { describe, expect, it } from "vitest";
import {
  EXACT,
  type Margin,
  median,
  noiseOf,
  simulatedMargin,
  trendOf,
  UNSTABLE,
  unclearReason,
  unclearWord,
} from "../../../src/core/base/noise.js";

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
  const within = (width: number | null): Margin => ({ width, source: "samples" });

  it("judges what is larger than the margin, and nothing else", () => {
    expect(trendOf(10, 8, within(1), true)).toBe("better");
    expect(trendOf(10, 8, within(1), false)).toBe("worse");
    expect(trendOf(10, 12, within(1), true)).toBe("worse");
    expect(trendOf(10, 11, within(1), true)).toBe("unclear");
    expect(trendOf(10, 20, within(null), true)).toBe("unclear");
    expect(trendOf(10, 20, UNSTABLE, true)).toBe("unclear");
    expect(trendOf(10, 10, within(null), true)).toBe("same");
    // The same times, added in another order.
    expect(trendOf(0.1 + 0.2, 0.3, EXACT, true)).toBe("same");
  });
});

describe("simulatedMargin", () => {
  const expected = (value: number, ...range: readonly [number, number] | readonly []) => ({
    value,
    range: range.length === 0 ? undefined : range,
  });

  it("reaches as far as two ranges touch, whichever side is the smaller one", () => {
    const [a, b] = [expected(100, 90, 112), expected(130, 115, 150)];
    expect(simulatedMargin(a, b)).toEqual({ width: 27, source: "simulator" });
    expect(simulatedMargin(b, a)).toEqual({ width: 27, source: "simulator" });
    expect(trendOf(130, 100, simulatedMargin(b, a), true)).toBe("better");
    expect(simulatedMargin(a, expected(130)).width).toBeNull();
  });
});

describe("unclearWord", () => {
  it("says why nothing is said", () => {
    const words = (["samples", "unstable", "simulator"] as const).map((source) =>
      [1, null].map((width) => unclearWord({ width, source })),
    );
    expect(words).toEqual([
      ["within noise", "noise unknown"],
      ["steps not stable", "steps not stable"],
      ["within the simulated range", "range unknown"],
    ]);
    expect(unclearReason("samples", "3 ms")).toBe("smaller than the noise of the samples, ±3 ms");
    expect(unclearReason("samples", null)).toContain("too few samples");
    expect(unclearReason("simulator", null)).toContain("does not say");
  });
});

describe("median", () => {
  it("is the middle, or the mean of the two in the middle", () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0]);
  });
});
