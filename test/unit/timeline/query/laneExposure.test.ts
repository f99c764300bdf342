import { describe, expect, it } from "vitest";
import type { TimelineLane } from "../../../../src/core/timeline/columns/columns.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { timelineOf } from "../columnSamples.js";

/** Bounds of what is exposed, lane by lane. */
function exposed(lanes: readonly TimelineLane[], samples: Parameters<typeof timelineOf>[0], devices: number[] = []) {
  const timeline = { ...timelineOf(samples, lanes), devices: devices.map((device) => ({ device, name: "" })) };
  return indexTimeline(timeline).overview.laneExposure.map(
    (lane) =>
      lane && {
        exposedNs: lane.exposedNs,
        bounds: Array.from(lane.intervals.startNs, (startNs, at) => [startNs, lane.intervals.endNs[at]]),
      },
  );
}

describe("exposureOfLanes", () => {
  it("keeps the copies of each stream apart; a part that two expose counts on both", () => {
    const lanes: readonly TimelineLane[] = [
      { role: "compute", stream: "7" },
      { role: "d2h", stream: "21" },
      { role: "d2h", stream: "7" },
    ];
    const found = exposed(lanes, [
      { lane: 0, startNs: 100, durationNs: 200 },
      { lane: 1, startNs: 150, durationNs: 100 },
      { lane: 1, startNs: 450, durationNs: 40 },
      { lane: 2, startNs: 250, durationNs: 100 },
      { lane: 2, startNs: 460, durationNs: 50 },
    ]);
    expect(found).toEqual([
      null,
      { exposedNs: 40, bounds: [[450, 490]] },
      {
        exposedNs: 100,
        bounds: [
          [300, 350],
          [460, 510],
        ],
      },
    ]);
  });

  it("lets compute of the own device hide a copy, and no other", () => {
    const lanes: readonly TimelineLane[] = [
      { role: "compute", stream: "7", device: 0 },
      { role: "d2h", stream: "22", device: 0 },
      { role: "h2d", stream: "22", device: 1 },
    ];
    const found = exposed(
      lanes,
      [
        { lane: 0, startNs: 0, durationNs: 100 },
        { lane: 1, startNs: 10, durationNs: 50 },
        { lane: 2, startNs: 10, durationNs: 50 },
      ],
      [0, 1],
    );
    expect(found).toEqual([null, { exposedNs: 0, bounds: [] }, { exposedNs: 50, bounds: [[10, 60]] }]);
  });

  it("is null for a lane of copies that holds none", () => {
    expect(exposed([{ role: "d2h", stream: "21" }], [])).toEqual([null]);
  });
});
