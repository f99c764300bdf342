import { describe, expect, it } from "vitest";
import { findFindings } from "../../../../../src/core/timeline/findings/findFindings.js";
import { measureTimeline } from "../../../../../src/core/timeline/metrics/metrics.js";
import { indexTimeline } from "../../../../../src/core/timeline/query/indexedTimeline.js";
import {
  codesOf,
  importBytes,
  importText,
  kernel,
  publicTrace,
  REAL_TRACES,
  traceBytes,
  traceOf,
} from "./traceSamples.js";

function devicesOf(...elements: readonly object[]): (readonly [number, string, number])[] {
  const { timeline } = importText(traceOf(...elements));
  return (timeline.devices ?? []).map(({ device, name }) => [
    device,
    name,
    measureTimeline(timeline, { device }).metrics.counts.kernel,
  ]);
}

describe("the devices of a trace", () => {
  it("are those of each process where ranks were merged into one file", () => {
    const { timeline, report } = publicTrace("merged-ranks");
    const measured = (timeline.devices ?? []).map(({ device }) => measureTimeline(timeline, { device }).metrics);
    const rank = { spanNs: 390_000, computeBusyNs: 360_000, counts: { kernel: 4 } };
    expect(measured).toMatchObject([
      { ...rank, d2h: { exposedNs: 8_000, hiddenNs: 0 }, idleNs: 22_000 },
      { ...rank, d2h: { exposedNs: 5_000, hiddenNs: 3_000 }, idleNs: 25_000 },
    ]);
    expect(timeline.devices).toEqual([
      { device: 0, name: "NVIDIA H100, device 0 of process 0" },
      { device: 1, name: "NVIDIA H100, device 0 of process 1000000" },
    ]);
    expect(codesOf(report)).toEqual({ DEVICES_OF_PROCESSES: 2 });
    const findings = findFindings(indexTimeline(timeline, 0, report));
    expect(findings.filter(({ severity }) => severity !== "warning").map(({ code }) => code)).toEqual([
      "DEVICES_OF_PROCESSES",
    ]);
  });

  it.each([
    ["texts", "rank 0", "rank 1", [0, 1]],
    ["numbers of the ranks", 0, 3, [0, 3]],
    ["numbers of processes", 4711, 90_210, [0, 1]],
  ])("are told by process ids that are %s", (_, a, b, numbers) => {
    const found = devicesOf(
      kernel(0, 5, "k", { pid: a }),
      kernel(2, 5, "k", { pid: b }),
      kernel(9, 5, "k", { pid: b }),
    );
    expect(found.map(([device]) => device)).toEqual(numbers);
    expect(found.map(([, , kernels]) => kernels)).toEqual([1, 2]);
  });

  it("keep numbers that differ, whatever the processes are", () => {
    const on = (pid: number | string, device: number, ts: number) => kernel(ts, 1, "k", { pid, args: { device } });
    expect(devicesOf(on("rank 0", 0, 0), on("rank 1", 1, 0)).map(([device, name]) => [device, name])).toEqual([
      [0, ""],
      [1, ""],
    ]);
    // Two GPUs in each of two processes; one thread that works on two.
    expect(devicesOf(on(10, 0, 0), on(10, 1, 0), on(11, 0, 0), on(11, 1, 0)).map(([device]) => device)).toEqual(
      [0, 1, 11, 2].sort((a, b) => a - b),
    );
    expect(devicesOf(on(10, 0, 0), on(10, 1, 0), on(10, 1, 5)).map(([, , kernels]) => kernels)).toEqual([1, 2]);
  });

  it("do not become more by ranges and waits that another process reports", () => {
    const range = {
      ph: "X",
      cat: "gpu_user_annotation",
      name: "forward",
      pid: 9,
      tid: 7,
      ts: 0,
      dur: 9,
      args: { device: 0 },
    };
    expect(devicesOf(kernel(0, 5), range).map(([device]) => device)).toEqual([0]);
  });

  it("have memory curves of their own", () => {
    const memory = (pid: number, ts: number, bytes: number) => ({
      ph: "i",
      cat: "cpu_instant_event",
      name: "[memory]",
      pid,
      tid: pid,
      ts,
      args: { "Total Allocated": bytes, "Device Type": 1, "Device Id": 0 },
    });
    const { timeline } = importText(
      traceOf(
        kernel(0, 5, "k", { pid: "rank 0" }),
        kernel(0, 5, "k", { pid: "rank 1" }),
        memory(100, 1, 10),
        memory(200, 2, 70),
        memory(100, 3, 20),
      ),
    );
    expect(timeline.memory.map(({ device, bytes }) => [device, Array.from(bytes)])).toEqual([
      [0, [10, 20]],
      [1, [70]],
    ]);
  });

  it.each(REAL_TRACES)("are one in %s", (name) => {
    const { timeline, report } = importBytes(traceBytes(name));
    expect(timeline.devices).toHaveLength(1);
    expect(codesOf(report).DEVICES_OF_PROCESSES).toBeUndefined();
  });
});

describe("launches of merged ranks", () => {
  it("are linked to work that comes after them", () => {
    const call = (pid: number, ts: number) => ({
      ph: "X",
      cat: "cuda_runtime",
      name: "cudaLaunchKernel",
      pid,
      tid: pid,
      ts,
      dur: 1,
      args: { correlation: 7 },
    });
    const work = (pid: string, ts: number) => kernel(ts, 2, "k", { pid, args: { device: 0, correlation: 7 } });
    const { timeline } = importText(traceOf(call(100, 0), work("rank 0", 3), call(200, 50), work("rank 1", 53)));
    expect(Array.from(timeline.flows?.from ?? [])).toEqual([0, 2]);
    expect(Array.from(timeline.flows?.to ?? [])).toEqual([1, 3]);
  });

  it("are steps of one job", () => {
    const mark = (pid: number, ts: number, number: number) => ({
      ...{ ph: "X", cat: "user_annotation", name: `ProfilerStep#${number}`, pid, tid: pid, ts, dur: 95 },
    });
    const launch = (pid: number, ts: number, correlation: number) => [
      { ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid, tid: pid, ts, dur: 1, args: { correlation } },
      kernel(ts + 2, 50, "k", { pid: `rank ${pid}`, args: { device: 0, correlation } }),
    ];
    const { timeline } = importText(
      traceOf(
        ...[mark(1, 0, 3), mark(2, 5, 3), mark(1, 100, 4), mark(2, 105, 4)],
        ...[launch(1, 10, 1), launch(2, 12, 2), launch(1, 110, 3), launch(2, 112, 4)].flat(),
      ),
    );
    const steps = timeline.spans.filter(({ kind }) => kind === "step");
    expect(steps.map(({ label, startNs }) => [label, startNs])).toEqual([
      ["step 3", 12_000],
      ["step 4", 112_000],
    ]);
  });
});
