import { describe, expect, it } from "vitest";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { sumRange } from "../../../../src/core/timeline/query/rangeSum.js";
import { timelineOf } from "../columnSamples.js";

const COMPUTE = 0;
const D2H = 1;
const indexed = indexTimeline(
  timelineOf([
    { lane: COMPUTE, startNs: 0, durationNs: 100, layer: 0 },
    { lane: D2H, startNs: 50, durationNs: 100, bytes: 200_000, layer: 0 },
    { lane: COMPUTE, startNs: 120, durationNs: 100, layer: 1 },
    { lane: COMPUTE, startNs: 400, durationNs: 10, layer: 1 },
  ]),
);

describe("sumRange", () => {
  it("cuts events at the edges of the span", () => {
    const { metrics, roles, layers } = sumRange(indexed, 80, 200);
    expect(metrics).toMatchObject({
      spanNs: 120,
      computeBusyNs: 20 + 80,
      idleNs: 0,
      d2h: { count: 1, bytes: 200_000, busyNs: 70, hiddenNs: 20 + 30, exposedNs: 20 },
      counts: { kernel: 2 },
    });
    expect(roles).toEqual([
      { role: "compute", count: 2, bytes: 0, durationNs: 100 },
      { role: "d2h", count: 1, bytes: 200_000, durationNs: 70 },
    ]);
    expect(layers.map(({ layer, computeNs, d2hExposedNs }) => [layer, computeNs, d2hExposedNs])).toEqual([
      [0, 20, 20],
      [1, 80, 0],
    ]);
  });

  it("gives the whole for the whole", () => {
    expect(sumRange(indexed, 0, 410).metrics).toEqual(indexed.overview.metrics);
    expect(sumRange(indexed, 0, 410).bandwidth.d2h).toMatchObject({ count: 1, medianGBps: 2000 });
  });

  it("is empty where nothing is", () => {
    expect(sumRange(indexed, 250, 350).metrics).toMatchObject({ spanNs: 100, computeBusyNs: 0, idleNs: 100 });
    expect(sumRange(indexed, 250, 350).roles).toEqual([]);
    expect(sumRange(indexed, 250, 350).bandwidth).toEqual({ d2h: null, h2d: null });
  });
});
