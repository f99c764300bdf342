import { describe, expect, it } from "vitest";
import { analyse } from "../../../../src/core/timeline/query/analysis.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { type SampleEvent, timelineOf } from "../columnSamples.js";
import { importBytes, traceBytes } from "../import/chrome/traceSamples.js";

function verdictOf(...events: SampleEvent[]) {
  return analyse(indexTimeline(timelineOf(events))).verdict;
}
const kernel = (startNs: number, durationNs: number): SampleEvent => ({ lane: 0, startNs, durationNs });
const offload = (startNs: number, durationNs: number): SampleEvent => ({ lane: 1, startNs, durationNs, bytes: 1e6 });

describe("analyse", () => {
  it.each([
    ["compute-bound", [kernel(0, 1000), offload(100, 100)]],
    ["copy-bound", [kernel(0, 100), offload(50, 1000)]],
    ["no-copies", [kernel(0, 100)]],
  ] as const)("says %s, with the arithmetic", (kind, events) => {
    const verdict = verdictOf(...events);
    expect(verdict.kind).toBe(kind);
    expect(verdict.reasoning.length).toBeGreaterThan(3);
  });

  it.each([
    ["q8_s8k_gc_veomni", "compute-bound"],
    ["q06_s4k_gc_veomni_mem", "host-bound"],
    ["fsdp2_q8x16_s8k_gc_veomni_rank0", "compute-bound"],
  ])("judges %s as %s", (name, kind) => {
    const { verdict, bandwidth, layers } = analyse(
      indexTimeline(importBytes(traceBytes(`${name}.pt.trace.json.gz`)).timeline),
    );
    expect(verdict.kind).toBe(kind);
    expect(bandwidth.d2h?.medianGBps).toBeGreaterThan(54);
    expect(bandwidth.d2h?.maxGBps).toBeLessThan(56);
    expect(layers.filter(({ layer, d2hCount }) => layer >= 0 && d2hCount === 1).length).toBe(layers.length - 2);
  });
});
