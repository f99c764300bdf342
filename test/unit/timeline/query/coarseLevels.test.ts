import { describe, expect, it } from "vitest";
import { coarseView } from "../../../../src/core/timeline/query/coarseLevels.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { sliceRow } from "../../../../src/core/timeline/query/slices.js";
import { timelineOf } from "../columnSamples.js";

const COUNT = 120_000;
const indexed = indexTimeline(
  timelineOf(
    Array.from({ length: COUNT }, (_, at) => ({
      lane: at % 3,
      startNs: at * 10 + (at % 7),
      durationNs: 5 + (at % 11),
    })),
  ),
);

describe("coarseView", () => {
  it("cuts the same boxes out of a whole timeline as slicing the span does", () => {
    const [fromNs, toNs] = [300_000, 900_000];
    const view = coarseView(indexed, fromNs, toNs, 700);
    expect(view?.pixelNs).toBe(512);
    const counted = (view?.rows ?? []).map((row) => row.count.reduce((sum, count) => sum + count, 0));
    const direct = indexed.rows.map((row) => sliceRow(row, indexed.timeline.events, fromNs, toNs, 512));
    for (const [at, row] of (view?.rows ?? []).entries()) {
      const expected = direct[at]?.count.reduce((sum, count) => sum + count, 0) ?? 0;
      // Only the boxes at the edges may hold events outside of the span.
      expect((counted[at] ?? 0) - expected).toBeGreaterThanOrEqual(0);
      expect((counted[at] ?? 0) - expected).toBeLessThan(2 * 52);
      expect(row.startNs.slice(1, -1)).toEqual(direct[at]?.startNs.slice(-(row.startNs.length - 1), -1));
    }
  });

  it("leaves no event out", () => {
    const rows = coarseView(indexed, 0, indexed.overview.extent.toNs + 1, 1_000)?.rows ?? [];
    expect(rows.flatMap((row) => Array.from(row.count)).reduce((sum, count) => sum + count, 0)).toBe(COUNT);
  });

  it("keeps levels within a bound, gives copies, and is not for close views", () => {
    for (let pixelNs = 64; pixelNs < 300_000; pixelNs *= 1.9) coarseView(indexed, 0, 1e6, pixelNs);
    const boxes = [...indexed.levels.values()].flat().reduce((sum, row) => sum + row.startNs.length, 0);
    expect(boxes).toBeLessThanOrEqual(2_000_000);
    const [first] = coarseView(indexed, 0, 1e6, 1_000)?.rows ?? [];
    const [again] = coarseView(indexed, 0, 1e6, 1_000)?.rows ?? [];
    expect(first).toEqual(again);
    expect(first?.startNs.buffer).not.toBe(again?.startNs.buffer);
    expect(coarseView(indexed, 0, 1_000, 1)).toBeNull();
  });
});
