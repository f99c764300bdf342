// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { findFindings } from "../../../../src/core/timeline/findings/findFindings.js";
import type { Finding } from "../../../../src/core/timeline/query/finding.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { type SampleEvent, timelineOf } from "../columnSamples.js";
import { importBytes, importText, kernel, REAL_TRACES, traceBytes, traceOf } from "../import/chrome/traceSamples.js";

function findingsOf(timeline: Timeline): Finding[] {
  return findFindings(indexTimeline(timeline));
}

function codes(findings: readonly Finding[], severity?: Finding["severity"]): string[] {
  return findings.filter((one) => severity === undefined || one.severity === severity).map(({ code }) => code);
}

/** Text of a real trace in which the copies of one direction can be changed by their place in the file. */
function changedTrace(name: string, change: (copy: RegExpMatchArray, index: number) => string | undefined): Timeline {
  const text = new TextDecoder().decode(traceBytes(name));
  let index = 0;
  const pattern =
    /\{\s*"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy (DtoH|HtoD)[^{}]*"ts": ([\d.]+), "dur": ([\d.]+),[^{}]*\{[^{}]*"bytes": 67108864,[^{}]*\}\s*\}/g;
  const changed = text.replace(
    pattern,
    (...groups) => change(groups as unknown as RegExpMatchArray, index++) ?? groups[0],
  );
  return importText(changed).timeline;
}

const Q8 = "q8_s8k_gc_veomni.pt.trace.json.gz";
const COMPUTE = 0;
const D2H = 1;
const H2D = 2;

describe("findFindings", () => {
  it.each(REAL_TRACES)("raises no false alarm on %s", (name) => {
    expect(codes(findingsOf(importBytes(traceBytes(name)).timeline), "error")).toEqual([]);
  });

  it("says nothing about a device where no device worked", () => {
    const host = { ph: "X", cat: "cpu_op", name: "aten::mm", pid: 1, tid: 1, ts: 1, dur: 5 };
    expect(findingsOf(importText(traceOf(host)).timeline)).toEqual([]);
  });

  it("finds a planted race: a reload that precedes its offload's end, with both events", () => {
    const copies: { direction: string | undefined; ts: string }[] = [];
    changedTrace(Q8, ([, direction, ts]) => {
      copies.push({ direction, ts: ts ?? "" });
      return undefined;
    });
    const inOrder = copies.sort((a, b) => Number(a.ts) - Number(b.ts));
    // The first reload of backward belongs to the last offload of forward.
    const offload = inOrder.findLast(({ direction }) => direction === "DtoH");
    const reload = inOrder.find(({ direction }) => direction === "HtoD");
    const timeline = changedTrace(Q8, ([all, , ts]) =>
      ts === reload?.ts ? all?.replace(`"ts": ${ts}`, `"ts": ${(Number(offload?.ts) + 600).toFixed(3)}`) : undefined,
    );
    const [first, ...others] = findingsOf(timeline).filter(({ severity }) => severity === "error");
    expect(first?.code).toBe("RELOAD_BEFORE_OFFLOAD_END");
    expect(first?.events.map(({ name }) => name)).toEqual([
      "Memcpy DtoH (Device -> Pinned)",
      "Memcpy HtoD (Pinned -> Device)",
    ]);
    expect(first?.arrow).toEqual({ from: first?.events[0]?.event, to: first?.events[1]?.event });
    // One swap stream carries both directions: the moved copy now overlaps the offload there, too.
    expect(codes(others)).toEqual(["OVERLAP_IN_STREAM"]);
  });

  it("finds an offload whose reload is missing", () => {
    let reloads = 0;
    const timeline = changedTrace(Q8, ([, direction]) =>
      direction === "HtoD" && reloads++ === 9
        ? '{"ph":"X","cat":"cpu_op","name":"gone","pid":1,"tid":1,"ts":1,"dur":1}'
        : undefined,
    );
    expect(codes(findingsOf(timeline), "error")).toEqual(["OFFLOAD_WITHOUT_RELOAD"]);
  });

  it("pairs equal copies from the last one on", () => {
    const copy = (lane: number, startNs: number, durationNs: number): SampleEvent => ({
      lane,
      startNs,
      durationNs,
      bytes: 1e6,
    });
    const timeline = timelineOf([
      copy(D2H, 0, 10),
      copy(D2H, 20, 10),
      copy(D2H, 40, 30),
      copy(H2D, 65, 10),
      copy(H2D, 80, 10),
      copy(H2D, 95, 10),
    ]);
    const [race, ...others] = findingsOf(timeline).filter(({ severity }) => severity === "error");
    expect(race?.events.map(({ startNs }) => startNs)).toEqual([40, 65]);
    expect(race?.message).toMatch(/starts 5\u00a0ns before/);
    expect(others).toEqual([]);
  });

  it("leaves copies alone that stream weights and gradients", () => {
    const traffic = Array.from({ length: 20 }, (_, at) => ({
      lane: at % 2 === 0 ? H2D : D2H,
      startNs: at * 10,
      durationNs: 15,
      bytes: 1e6,
    }));
    expect(codes(findingsOf(timelineOf(traffic)), "error")).toEqual([]);
  });

  it("finds work that begins before what it depends on has ended", () => {
    const offload: SampleEvent = { lane: D2H, startNs: 0, durationNs: 50, bytes: 100, name: "offload" };
    const reuse: SampleEvent = { lane: COMPUTE, startNs: 30, durationNs: 10, dependsOn: offload, name: "next layer" };
    const wait: SampleEvent = { lane: 3, startNs: 20, durationNs: 30, dependsOn: offload, kind: EventKind.hostWait };
    const [found, ...others] = findingsOf(timelineOf([offload, reuse, wait])).filter(
      ({ severity }) => severity === "error",
    );
    expect(found).toMatchObject({ code: "REUSE_BEFORE_EVENT", arrow: { from: 0, to: 2 } });
    expect(found?.message).toBe("next layer begins 20\u00a0ns before offload has ended, which it depends on.");
    expect(others).toEqual([]);
  });

  it("finds overlap within one stream but not across streams", () => {
    const streams = importText(traceOf(kernel(0, 10), { ...kernel(5, 10), tid: 8 })).timeline;
    expect(codes(findingsOf(streams))).toEqual([]);
    const one = importText(traceOf(kernel(0, 10), kernel(5, 10))).timeline;
    expect(codes(findingsOf(one), "error")).toEqual(["OVERLAP_IN_STREAM"]);
    const wholeMicroseconds = importText(traceOf(kernel(5, 0), kernel(5, 10))).timeline;
    expect(codes(findingsOf(wholeMicroseconds))).toEqual([]);
  });

  it("names pageable copies, blocking calls, pinned allocations and copies on the compute stream", () => {
    const call = (name: string, ts: number, dur: number, correlation: number) => ({
      ph: "X",
      cat: "cuda_runtime",
      name,
      pid: 9,
      tid: 9,
      ts,
      dur,
      args: { correlation },
    });
    const copy = (name: string, tid: number, ts: number, correlation: number) => ({
      ph: "X",
      cat: "gpu_memcpy",
      name,
      pid: 0,
      tid,
      ts,
      dur: 100,
      args: { bytes: 1e6, correlation },
    });
    const timeline = importText(
      traceOf(
        call("cudaMemcpy", 0, 5, 1),
        copy("Memcpy DtoH (Device -> Pageable)", 21, 10, 1),
        call("cudaHostAlloc", 200, 300, 2),
        call("cudaMemcpyAsync", 500, 5, 3),
        copy("Memcpy HtoD (Pinned -> Device)", 7, 520, 3),
        kernel(700, 1000),
      ),
    ).timeline;
    const found = findingsOf(timeline);
    expect(codes(found, "warning").sort()).toEqual([
      "BLOCKING_COPIES",
      "COPIES_ON_COMPUTE_STREAM",
      "D2H_EXPOSED",
      "H2D_EXPOSED",
      "PAGEABLE_COPIES",
      "PINNED_ALLOCATIONS",
    ]);
    expect(found.find(({ code }) => code === "PINNED_ALLOCATIONS")).toMatchObject({ costNs: 300_000, eventCount: 1 });
    expect(found.find(({ code }) => code === "PAGEABLE_COPIES")?.costNs).toBe(100_000);
  });
});
