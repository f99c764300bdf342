import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { splitIdle } from "../../../../src/core/timeline/metrics/idleSplit.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { type SampleEvent, timelineOf } from "../columnSamples.js";
import { importBytes, importText, kernel, REAL_TRACES, traceBytes, traceOf } from "../import/chrome/traceSamples.js";

const call = (name: string, ts: number, dur: number, correlation = 0) => ({
  ph: "X",
  cat: "cuda_runtime",
  name,
  pid: 9,
  tid: 9,
  ts,
  dur,
  args: correlation === 0 ? {} : { correlation },
});
const launched = (ts: number, dur: number, correlation: number, more: object = {}) =>
  kernel(ts, dur, "k", { args: { correlation, bytes: 1e6 }, ...more });
const copy = { cat: "gpu_memcpy", name: "Memcpy DtoH (Device -> Pinned)", tid: 21 };

describe("splitIdle", () => {
  it("blames the host for work that it launches after the gap has begun", () => {
    const { timeline } = importText(
      traceOf(
        call("cudaLaunchKernel", 0, 1, 1),
        launched(2, 8, 1),
        call("cudaLaunchKernel", 30, 1, 2),
        launched(35, 5, 2),
      ),
    );
    expect(splitIdle(timeline)).toEqual({
      idleNs: 25_000,
      hostLateNs: 20_000,
      copyWaitNs: 0,
      collectiveWaitNs: 0,
      otherNs: 5_000,
    });
  });

  it("blames the copy that the host waited for", () => {
    const { timeline } = importText(
      traceOf(
        call("cudaMemcpyAsync", 0, 1, 1),
        launched(2, 8, 1, copy),
        call("cudaEventSynchronize", 3, 15),
        call("cudaLaunchKernel", 20, 1, 2),
        launched(22, 5, 2),
      ),
    );
    expect(splitIdle(timeline)).toEqual({
      idleNs: 12_000,
      hostLateNs: 2_000,
      copyWaitNs: 8_000,
      collectiveWaitNs: 0,
      otherNs: 2_000,
    });
  });

  it("knows from our own recordings what a wait was for", () => {
    const offload: SampleEvent = { lane: 1, startNs: 0, durationNs: 40, bytes: 10 };
    const wait: SampleEvent = { lane: 3, startNs: 10, durationNs: 60, kind: EventKind.hostWait, dependsOn: offload };
    const timeline = timelineOf([offload, wait, { lane: 0, startNs: 80, durationNs: 10 }]);
    expect(splitIdle(timeline)).toEqual({
      idleNs: 40,
      hostLateNs: 0,
      copyWaitNs: 30,
      collectiveWaitNs: 0,
      otherNs: 10,
    });
  });

  it.each(REAL_TRACES)("splits all of the idle time of %s", (name) => {
    const { timeline } = importBytes(traceBytes(name));
    const { idleNs, ...causes } = splitIdle(timeline);
    expect(idleNs).toBe(measureTimeline(timeline).metrics.idleNs);
    const parts = Object.values(causes);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(idleNs);
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
  });
});
