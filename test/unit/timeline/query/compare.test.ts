import { describe, expect, it } from "vitest";
import type { Margin } from "../../../../src/core/base/noise.js";
import { compareTimelines } from "../../../../src/core/timeline/query/compare.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { timelineOf } from "../columnSamples.js";
import { importBytes, importText, kernel, traceBytes, traceOf } from "../import/chrome/traceSamples.js";

/** Steps of the given lengths, each one kernel long. */
function steps(...lengthsNs: readonly number[]) {
  let startNs = 0;
  const spans: { kind: "step"; label: string; startNs: number; endNs: number }[] = [];
  const events = lengthsNs.map((durationNs) => {
    const event = { lane: 0, startNs, durationNs };
    spans.push({ kind: "step", label: `step ${spans.length}`, startNs, endNs: startNs + durationNs });
    startNs += durationNs;
    return event;
  });
  return indexTimeline({ ...timelineOf(events), spans });
}

const titles = { a: "before", b: "after" };

describe("compareTimelines", () => {
  it("calls a difference beyond the noise faster or slower", () => {
    const before = steps(1000, 1010, 990, 1005);
    const after = steps(800, 805, 795, 801);
    const faster = compareTimelines(before, after, titles);
    expect(faster.verdict.kind).toBe("faster");
    expect(faster).toMatchObject({ steps: 4, hasSteps: true });
    expect(faster.verdict.text.replaceAll("\u00a0", " ")).toMatch(/^A step takes 801 ns instead of 1.00 µs: /);
    const labels = [...faster.metrics, ...faster.lanes].map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(faster.metrics[0]).toMatchObject({ id: "span", a: 1002.5, b: 800.5, difference: -202, trend: "better" });
    expect(compareTimelines(after, before, titles).verdict.kind).toBe("slower");
  });

  it("calls a difference within the noise what it is", () => {
    const unclear = compareTimelines(steps(1000, 1200, 800, 1100, 900), steps(1010, 1210, 820, 1110, 900), titles);
    expect(unclear.verdict.kind).toBe("unclear");
    expect(unclear.metrics[0]).toMatchObject({ trend: "unclear" });
    const same = compareTimelines(steps(10_000, 10_001, 10_002), steps(10_001, 10_002, 10_000), titles);
    expect(same.verdict.kind).toBe("same");
  });

  it("knows nothing about noise without three steps", () => {
    const { verdict, metrics } = compareTimelines(steps(1000, 1000), steps(500, 500), titles);
    expect(verdict.kind).toBe("unclear");
    expect(metrics[0]?.noise).toBeNull();
  });

  it("judges by the steps that were measured apart from the recording", () => {
    const measured = { aNs: 1000, bNs: 1100, margin: { width: 200, source: "samples" as const }, samples: 5 };
    const { metrics, verdict } = compareTimelines(steps(1000), steps(1100), titles, measured);
    expect(metrics[0]).toMatchObject({ id: "step", a: 1000, b: 1100, trend: "unclear", noise: 200 });
    expect(verdict).toMatchObject({
      kind: "unclear",
      text: expect.stringMatching(/within the noise of ±200.ns over 5 steps/),
    });
    const quiet = { ...measured, margin: { width: 20, source: "samples" as const } };
    expect(compareTimelines(steps(1000), steps(1100), titles, quiet).verdict.kind).toBe("slower");
  });

  it("says nothing about simulated steps whose ranges touch, nor about steps that were not stable", () => {
    const verdictOf = (margin: Margin) => {
      const measured = { aNs: 1000, bNs: 1100, margin, samples: 1 };
      const { metrics, verdict } = compareTimelines(steps(1000), steps(1100), titles, measured);
      return { trend: metrics[0]?.trend, ...verdict, text: verdict.text.replaceAll("\u00a0", " ") };
    };
    expect(verdictOf({ width: 150, source: "simulator" })).toMatchObject({
      trend: "unclear",
      kind: "unclear",
      text: expect.stringMatching(
        /that says nothing: the ranges in which the simulator expects the two times touch\.$/,
      ),
    });
    expect(verdictOf({ width: 50, source: "simulator" })).toMatchObject({
      trend: "worse",
      kind: "slower",
      text: expect.stringMatching(/; their simulated ranges do not touch\.$/),
    });
    expect(verdictOf({ width: null, source: "unstable" })).toMatchObject({
      trend: "unclear",
      kind: "unclear",
      text: expect.stringMatching(/the steps were not stable/),
    });
  });

  it("compares layers per step, however many steps a side has", () => {
    const layered = (count: number) => {
      const indexed = steps(...Array.from({ length: count }, () => 1000));
      indexed.timeline.events.layer.fill(0);
      return indexed;
    };
    const { layers } = compareTimelines(layered(1), layered(3), titles);
    expect(layers).toEqual([{ layer: 0, name: "layer 0", computeNs: { a: 1000, b: 1000 }, exposedNs: { a: 0, b: 0 } }]);
  });

  it("compares the first of several devices, and says so", () => {
    const on = (device: number, role: "compute" | "d2h") => ({ role, stream: "7", device });
    const lanes = [on(0, "compute"), on(0, "d2h"), on(1, "compute")];
    const events = [
      { lane: 0, startNs: 0, durationNs: 10 },
      { lane: 1, startNs: 0, durationNs: 30 },
      { lane: 2, startNs: 0, durationNs: 100 },
    ];
    const devices = [0, 1].map((device) => ({ device, name: "" }));
    const two = indexTimeline({ ...timelineOf(events, lanes), devices });
    const { a, metrics } = compareTimelines(two, two, titles);
    expect(a).toBe("before, GPU 0");
    expect(metrics.find(({ id }) => id === "d2hExposed")?.a).toBe(20);
  });

  it("compares two ranks layer by layer", () => {
    const rank = (number: number) =>
      indexTimeline(importBytes(traceBytes(`fsdp2_q8x16_s8k_gc_veomni_rank${number}.pt.trace.json.gz`)).timeline);
    const { layers, metrics, lanes, verdict, hasSteps } = compareTimelines(rank(0), rank(1), titles);
    expect(hasSteps).toBe(false);
    expect(verdict.text.replaceAll("\u00a0", " ")).toMatch(
      /^The whole recording of rank 1 takes 550 ms, that of rank 0 549 ms: \+312 µs .* No steps are marked, so/,
    );
    expect(layers.map(({ layer }) => layer)).toEqual([-1, ...Array.from({ length: 16 }, (_, at) => at)]);
    expect(metrics.find(({ id }) => id === "span")?.difference).toBe(549653475 - 549341228);
    expect(lanes.find(({ id }) => id === "collective")?.difference).toBe(112619492 - 62405988);
    expect(metrics.find(({ id }) => id === "d2hBytes")).toMatchObject({ difference: 0, trend: "same" });
  });
});

describe("recordings that lack what is compared", () => {
  const indexed = (...elements: object[]) => {
    const { timeline, report } = importText(traceOf(...elements));
    return indexTimeline(timeline, 0, report);
  };
  const whole = indexed(kernel(1, 90), kernel(100, 90));
  const ofHost = indexed({ ph: "X", cat: "cpu_op", name: "aten::mm", pid: 1, tid: 1, ts: 1, dur: 5 });
  const untimed = indexed(kernel(1, 0), kernel(100, 0));

  it("a side without work of a device is unknown, not 0", () => {
    const { metrics, lanes, verdict } = compareTimelines(whole, ofHost, titles);
    for (const { a, b, difference, trend } of [...metrics, ...lanes]) {
      expect([a === null, b, difference, trend]).toEqual([false, null, null, null]);
    }
    expect(verdict).toEqual({ kind: "unclear", text: "after has no work of a device: there is nothing to compare." });
    expect(compareTimelines(ofHost, ofHost, titles).verdict.text).toMatch(/^before and after have no work/);
  });

  it("times of work without durations are unknown, its count is not", () => {
    const { metrics, verdict } = compareTimelines(untimed, whole, titles);
    const metricOf = (wanted: string) => metrics.find(({ id }) => id === wanted);
    expect(metricOf("span")).toMatchObject({ a: null, b: 189_000, difference: null });
    expect(metricOf("kernels")).toMatchObject({ a: 2, b: 2, difference: 0 });
    expect(verdict).toEqual({
      kind: "unclear",
      text: "before has work without durations: times cannot be compared.",
    });
  });
});
