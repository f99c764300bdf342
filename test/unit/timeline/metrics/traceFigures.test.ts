import { expect, it } from "vitest";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { traceFiguresOf } from "../../../../src/core/timeline/metrics/traceFigures.js";
import { timelineOf } from "../columnSamples.js";

it("puts each number in proportion", () => {
  const { metrics } = measureTimeline(
    timelineOf([
      { lane: 0, startNs: 0, durationNs: 600 },
      { lane: 1, startNs: 500, durationNs: 300, bytes: 64 },
      { lane: 0, startNs: 900, durationNs: 100 },
    ]),
  );
  const figures = traceFiguresOf(metrics).map(({ id, value, note }) => [id, value, note]);
  expect(figures).toEqual([
    ["span", "1.00\u00a0µs", "2 kernels"],
    ["compute", "700\u00a0ns", "70\u00a0% of the span"],
    ["idle", "100\u00a0ns", "10\u00a0% of the span"],
    ["exposed", "200\u00a0ns", "of 300\u00a0ns busy"],
    ["collective", "0\u00a0ns", "no collectives"],
  ]);
});

it("says nothing of shares where there is no span", () => {
  const { metrics } = measureTimeline(timelineOf([]));
  expect(traceFiguresOf(metrics).map(({ note }) => note)).toEqual(["0 kernels", "", "", "no copies", "no collectives"]);
});
