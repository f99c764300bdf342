import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { timelineOf } from "../columnSamples.js";

describe("measureTimeline", () => {
  it("splits copies into hidden and exposed by the union of compute", () => {
    const { metrics } = measureTimeline(
      timelineOf([
        { lane: 0, startNs: 100, durationNs: 100 },
        // Overlaps the one before: counted once.
        { lane: 0, startNs: 150, durationNs: 100 },
        { lane: 0, startNs: 400, durationNs: 50, kind: EventKind.memset },
        { lane: 1, startNs: 200, durationNs: 100, bytes: 1000 },
        { lane: 1, startNs: 440, durationNs: 40, bytes: 24 },
        { lane: 2, startNs: 0, durationNs: 120, bytes: 7 },
      ]),
    );
    expect(metrics.computeBusyNs).toBe(200);
    expect(metrics.d2h).toEqual({
      count: 2,
      sizedCount: 2,
      bytes: 1024,
      sizedBusyNs: 140,
      busyNs: 140,
      hiddenNs: 60,
      exposedNs: 80,
    });
    expect(metrics.h2d).toMatchObject({ count: 1, bytes: 7, busyNs: 120, hiddenNs: 20, exposedNs: 100 });
    expect(metrics.copiesAny).toMatchObject({ count: 3, busyNs: 260, hiddenNs: 80, exposedNs: 180 });
    expect(metrics.counts).toEqual({ kernel: 2, memset: 1, dtod: 0 });
    expect(metrics.spanNs).toBe(480);
    // 300..400 is the only gap on the device.
    expect(metrics.idleNs).toBe(100);
  });

  it("lets neither waits nor collectives hide a copy", () => {
    const { metrics } = measureTimeline(
      timelineOf([
        { lane: 0, startNs: 0, durationNs: 100, kind: EventKind.streamWait },
        { lane: 0, startNs: 0, durationNs: 100, kind: EventKind.collective },
        { lane: 3, startNs: 0, durationNs: 90 },
        // A copy stream that waits for compute costs nothing.
        { lane: 1, startNs: 0, durationNs: 50, kind: EventKind.streamWait },
        { lane: 2, startNs: 0, durationNs: 100, bytes: 1 },
      ]),
    );
    expect(metrics.h2d).toMatchObject({ hiddenNs: 0, exposedNs: 100 });
    expect(metrics.collective).toMatchObject({ count: 1, busyNs: 100, hiddenNs: 0 });
    expect(metrics).toMatchObject({ computeWaitNs: 100, hostWaitNs: 90, computeBusyNs: 0, idleNs: 0 });
    expect(metrics.counts.kernel).toBe(0);
  });

  it("counts both directions at once only once", () => {
    const { metrics } = measureTimeline(
      timelineOf([
        { lane: 1, startNs: 0, durationNs: 100 },
        { lane: 2, startNs: 50, durationNs: 100 },
      ]),
    );
    expect(metrics.copiesAny).toMatchObject({ busyNs: 150, exposedNs: 150 });
  });

  it("measures nothing in an empty timeline", () => {
    const { metrics } = measureTimeline(timelineOf([]));
    expect(metrics).toMatchObject({ spanNs: 0, computeBusyNs: 0, idleNs: 0 });
    expect(metrics.copiesAny).toMatchObject({ count: 0, bytes: 0, busyNs: 0, hiddenNs: 0, exposedNs: 0 });
  });

  it("measures bytes and their rate over the copies whose size is known", () => {
    const unknown = Number.NaN;
    const { metrics } = measureTimeline(
      timelineOf([
        { lane: 1, startNs: 0, durationNs: 100, bytes: unknown },
        { lane: 1, startNs: 100, durationNs: 100, bytes: 500 },
        { lane: 1, startNs: 150, durationNs: 100, bytes: 0 },
        { lane: 2, startNs: 0, durationNs: 30, bytes: unknown },
      ]),
    );
    expect(metrics.d2h).toMatchObject({ count: 3, sizedCount: 2, bytes: 500, sizedBusyNs: 150, busyNs: 250 });
    expect(metrics.h2d).toMatchObject({ count: 1, sizedCount: 0, bytes: null, busyNs: 30 });
    expect(metrics.copiesAny).toMatchObject({ count: 4, sizedCount: 2, bytes: 500, sizedBusyNs: 150 });
  });
});
