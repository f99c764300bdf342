import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clampRange,
  fitRange,
  MIN_SPAN_NS,
  panRange,
  revealRange,
  zoomRange,
} from "../../../../src/core/timeline/query/visibleRange.js";

const whole = { fromNs: 0, toNs: 1_000_000 };

describe("visibleRange", () => {
  it("zooms around the time under the pointer", () => {
    const range = zoomRange({ fromNs: 200_000, toNs: 600_000 }, 300_000, 0.5, whole);
    expect(range).toEqual({ fromNs: 250_000, toNs: 450_000 });
  });

  it("never leaves the whole nor gets shorter than the closest zoom", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -2e6, max: 2e6, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.nat(1_000_000),
        (byNs, factor, anchorNs) => {
          const range = panRange(zoomRange({ fromNs: 100, toNs: 900_000 }, anchorNs, factor, whole), byNs, whole);
          expect(range.fromNs).toBeGreaterThanOrEqual(0);
          expect(range.toNs).toBeLessThanOrEqual(whole.toNs + 1e-6);
          expect(range.toNs - range.fromNs).toBeGreaterThanOrEqual(MIN_SPAN_NS - 1e-6);
        },
      ),
    );
  });

  it("shows a whole that is shorter than the closest zoom", () => {
    expect(clampRange({ fromNs: 0, toNs: 5 }, { fromNs: 0, toNs: 10 })).toEqual({ fromNs: 0, toNs: 10 });
  });

  it("fits an event into the middle fifth", () => {
    expect(fitRange(500_000, 510_000, whole)).toEqual({ fromNs: 480_000, toNs: 530_000 });
  });

  it("moves only when the event cannot be seen", () => {
    const range = { fromNs: 100_000, toNs: 200_000 };
    expect(revealRange(range, 150_000, 160_000, whole)).toBe(range);
    expect(revealRange(range, 300_000, 310_000, whole)).toEqual({ fromNs: 255_000, toNs: 355_000 });
    expect(revealRange(range, 300_000, 420_000, whole)).toEqual({ fromNs: 60_000, toNs: 660_000 });
  });
});
