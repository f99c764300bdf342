import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { findFindings } from "../../../../src/core/timeline/findings/findFindings.js";
import type { ImportedTrace } from "../../../../src/core/timeline/import/traceFormat.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { codesOf, importText, kernel, publicTrace, traceOf } from "../import/chrome/traceSamples.js";

function findingsOf({ timeline, report }: ImportedTrace) {
  return findFindings(indexTimeline(timeline, 0, report));
}

describe("findDamage", () => {
  it("says unasked that events have no times, and no figure counts them", () => {
    const imported = publicTrace("events-without-times");
    expect(codesOf(imported.report)).toEqual({ TIME_MISSING: 5 });
    const { metrics } = measureTimeline(imported.timeline);
    expect(metrics).toMatchObject({ spanNs: 490_000, idleNs: 40_000, counts: { kernel: 5 } });
    expect(findingsOf(imported)).toMatchObject([{ code: "TIME_MISSING", severity: "error", eventCount: 5 }]);
  });

  it("names a copy that cannot have lasted so long once, and blames nothing else for it", () => {
    const imported = publicTrace("impossible-duration");
    const { timeline, report } = imported;
    expect(codesOf(report)).toEqual({ DURATION_IMPOSSIBLE: 1 });
    const [only, ...others] = findingsOf(imported);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ code: "DURATION_IMPOSSIBLE", severity: "error", eventCount: 1, costNs: null });
    expect(only?.message).toContain("3.15\u00a0s");
    expect(only?.events).toMatchObject([
      { name: "Memcpy DtoH (Device -> Pinned)", startNs: 992_000, durationNs: 8_000 },
    ]);
    expect(timeline.events.kind[only?.events[0]?.event ?? 0]).toBe(EventKind.doubtful);
    const { metrics } = measureTimeline(timeline);
    expect(metrics).toMatchObject({ computeBusyNs: 5_400_000, d2h: { count: 0, exposedNs: 0 } });
    expect(metrics.spanNs).toBeLessThan(7_000_000);
  });

  it("says that no work has a duration", () => {
    const imported = importText(traceOf(kernel(1, 0), kernel(3, 0), kernel(9, 0)));
    expect(findingsOf(imported).map(({ code, eventCount }) => [code, eventCount])).toEqual([["DURATIONS_ZERO", 3]]);
  });

  it("says that a file names its events twice", () => {
    const list = (...elements: object[]) => `"traceEvents":${JSON.stringify(elements)}`;
    const imported = importText(`{${list(kernel(1, 2))},"other":{},${list(kernel(5, 2), kernel(9, 2))}}`);
    expect(imported.report).toMatchObject({ total: 3, kept: 3, repaired: 0 });
    expect(measureTimeline(imported.timeline).metrics.counts.kernel).toBe(3);
    expect(findingsOf(imported)).toMatchObject([{ code: "EVENTS_TWICE", severity: "information" }]);
  });

  it.each<[string, readonly unknown[], string, RegExp]>([
    ["texts and numbers", [1, "x", null], "NOT_AN_OBJECT", /^3 elements are no event/],
    ["elements without a phase", [{}, { name: "k" }], "PHASE_MISSING", /^2 elements say nothing of what happened/],
  ])("says unasked that %s are left out", (_, strangers, code, message) => {
    const [only, ...others] = findingsOf(importText(JSON.stringify([kernel(0, 2), ...strangers, kernel(5, 2)])));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ code, severity: "warning" });
    expect(only?.message).toMatch(message);
  });

  it("says unasked that elements are no JSON", () => {
    const broken = '{"ph" "X" "ts"}';
    const text = `[${JSON.stringify(kernel(0, 2))},${broken},${broken},${JSON.stringify(kernel(5, 2))}]`;
    const imported = importText(text);
    expect(codesOf(imported.report)).toMatchObject({ MALFORMED: 2 });
    expect(findingsOf(imported)).toMatchObject([{ code: "MALFORMED", severity: "warning", eventCount: 2 }]);
  });

  it("knows the empty element that ends some lists", () => {
    expect(findingsOf(importText(JSON.stringify([kernel(0, 2), kernel(5, 2), {}])))).toEqual([]);
    expect(findingsOf(importText(JSON.stringify([kernel(0, 2), kernel(5, 2), null])))).toEqual([]);
  });

  it("is silent about sound traces and about names", () => {
    expect(findingsOf(importText(traceOf(kernel(0, 2), kernel(5, 2, "n".repeat(9_000)))))).toEqual([]);
  });
});
