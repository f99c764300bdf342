// @slow: large inputs or many cases.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import { readContainer } from "../../../../src/core/timeline/container/readContainer.js";
import { chromeJson } from "../../../../src/core/timeline/export/chromeJson.js";
import { findFindings } from "../../../../src/core/timeline/findings/findFindings.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { timelineOf } from "../columnSamples.js";
import { digested, importBytes, importText, REAL_TRACES, traceBytes } from "../import/chrome/traceSamples.js";

function exported(timeline: Timeline): string {
  return [...chromeJson(timeline)].join("");
}

describe("chromeJson", () => {
  it.each(REAL_TRACES)("exports %s so that importing it again changes nothing", (name) => {
    const { timeline } = importBytes(traceBytes(name));
    const again = importText(exported(timeline));
    expect(again.report).toMatchObject({ repaired: 0, dropped: 0, overlapped: 0 });
    expect(digested(measureTimeline(again.timeline))).toEqual(digested(measureTimeline(timeline)));
    const times = ({ events: { startNs, durationNs, layer } }: Timeline) => digested({ startNs, durationNs, layer });
    expect(times(again.timeline)).toEqual(times(timeline));
    expect(again.timeline.flows?.from.length).toBe(timeline.flows?.from.length);
    expect(digested(again.timeline.memory)).toEqual(digested(timeline.memory));
    expect(again.timeline.devices).toEqual(timeline.devices);
    expect(again.timeline.originUnixNs).toBe(timeline.originUnixNs);
    expect(new Set(again.timeline.lanes.map((lane) => JSON.stringify(lane)))).toEqual(
      new Set(timeline.lanes.map((lane) => JSON.stringify(lane))),
    );
  });

  it("is plain JSON with a list of events", () => {
    const { timeline } = importBytes(traceBytes("q8_s8k_gc_veomni.pt.trace.json.gz"));
    const parsed = JSON.parse(exported(timeline)) as { traceEvents: { ph: string }[] };
    expect(parsed.traceEvents.filter(({ ph }) => ph === "X").length).toBeGreaterThan(50_000);
  });

  it("lets nothing overlap that only touched, where a virtual clock has fractions of a nanosecond", () => {
    const touching = [0, 1, 2, 3].map((at) => ({ lane: 0, startNs: 10.4 + at * 7.6, durationNs: 7.6 }));
    const again = importText(exported(timelineOf(touching))).timeline;
    expect(findFindings(indexTimeline(again))).toEqual([]);
    expect(measureTimeline(again).metrics).toMatchObject({ spanNs: 31, computeBusyNs: 31, idleNs: 0 });
  });

  it("is JSON whatever the columns hold", () => {
    for (const strange of [1e79, -1e79, 1e21, Number.POSITIVE_INFINITY, Number.NaN]) {
      const timeline = timelineOf([{ lane: 0, startNs: 0, durationNs: 1 }]);
      timeline.events.startNs.fill(strange);
      timeline.events.durationNs.fill(strange);
      timeline.events.bytes.fill(strange);
      const memory = { of: "device" as const, timeNs: Float64Array.of(strange), bytes: Float64Array.of(strange) };
      expect(() => JSON.parse(exported({ ...timeline, memory: [memory] }))).not.toThrow();
    }
  });

  it("keeps the direction of copies that our own recorder names after what they carry", () => {
    const saved = readContainer(readFileSync("test/fixtures/profiles/qwen3-tiny-cpu.offload"));
    const timeline = saved.ok ? saved.value.timelines[2] : undefined;
    if (timeline === undefined || timeline === null) throw new Error("no timeline");
    const { d2h, h2d } = measureTimeline(importText(exported(timeline)).timeline).metrics;
    const before = measureTimeline(timeline).metrics;
    expect([d2h.count, d2h.bytes, h2d.count, h2d.bytes]).toEqual([
      before.d2h.count,
      before.d2h.bytes,
      before.h2d.count,
      before.h2d.bytes,
    ]);
    expect(d2h.count).toBeGreaterThan(0);
  });
});
