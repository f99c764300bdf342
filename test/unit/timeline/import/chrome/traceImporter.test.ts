import { describe, expect, it } from "vitest";
import { FlowKind, type Timeline } from "../../../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../../../src/core/timeline/columns/eventKind.js";
import { measureTimeline } from "../../../../../src/core/timeline/metrics/metrics.js";
import {
  codesOf,
  copy,
  expectedOf,
  importBytes,
  importText,
  kernel,
  REAL_TRACES,
  traceBytes,
  traceOf,
} from "./traceSamples.js";

function starts({ events }: Timeline): number[] {
  return Array.from(events.startNs);
}

function names({ events, strings }: Timeline): (string | undefined)[] {
  return Array.from(events.name, (name) => strings[name]);
}

describe("TraceImporter", () => {
  it.each(REAL_TRACES)("measures %s to the nanosecond", (name) => {
    const { timeline, report } = importBytes(traceBytes(name), 1_000_003);
    const expected = expectedOf(name);
    expect(timeline.devices).toHaveLength(1);
    const { metrics } = measureTimeline(timeline, { device: timeline.devices?.[0]?.device ?? -1 });
    const role = (busy: { busyNs: number; hiddenNs: number; exposedNs: number }) => ({
      busy_ns: busy.busyNs,
      hidden_ns: busy.hiddenNs,
      exposed_ns: busy.exposedNs,
    });
    expect({
      events_total: report.total,
      gpu_span_ns: metrics.spanNs,
      compute_busy_ns: metrics.computeBusyNs,
      idle_ns: metrics.idleNs,
      dtoh: role(metrics.d2h),
      htod: role(metrics.h2d),
      copies_any: role(metrics.copiesAny),
      collective: { count: metrics.collective.count, ...role(metrics.collective) },
      copy_bytes: { htod: metrics.h2d.bytes, dtoh: metrics.d2h.bytes },
    }).toEqual({
      events_total: expected.events_total,
      gpu_span_ns: expected.gpu_span_ns,
      compute_busy_ns: expected.compute_busy_ns,
      idle_ns: expected.idle_ns,
      dtoh: expected.dtoh,
      htod: expected.htod,
      copies_any: expected.copies_any,
      collective: expected.collective,
      copy_bytes: expected.copy_bytes,
    });
    const { kernel: kernels, memset, dtod, dtoh, htod } = expected.gpu_counts;
    expect(metrics.counts).toEqual({ kernel: kernels, memset, dtod });
    expect([metrics.d2h.count, metrics.h2d.count]).toEqual([dtoh, htod]);
    expect(report).toMatchObject({ format: "kineto", repaired: 0, overlapped: 0, isTruncated: false });
    expect(report.kept + report.dropped).toBe(report.total);
  });

  it("names ranks, devices and threads of a real trace", () => {
    const { timeline } = importBytes(traceBytes("fsdp2_q8x16_s8k_gc_veomni_rank1.pt.trace.json.gz"));
    expect(timeline.rank).toBe(1);
    expect(timeline.devices).toEqual([{ device: 1, name: "NVIDIA H200" }]);
    expect(timeline.lanes).toContainEqual({ role: "d2h", stream: "stream 22", device: 1, process: "GPU 1" });
    expect(timeline.lanes).toContainEqual({
      role: "host",
      stream: "thread 637 (pt_autograd_1)",
      process: "python (process 609)",
    });
    expect(timeline.originUnixNs).toBe(1796028144868242680n);
  });

  it("reads a device memory curve in order of time", () => {
    const { timeline, report } = importBytes(traceBytes("q06_s4k_gc_veomni_mem.pt.trace.json.gz"));
    const [curve, host] = timeline.memory;
    expect(curve?.timeNs).toHaveLength(12350);
    expect(host?.of).toBe("host");
    expect(host?.timeNs).toHaveLength(1368);
    expect(Array.from(host?.bytes.subarray(0, 2) ?? [])).toEqual([8, 0]);
    expect(report).toMatchObject({ kept: report.total, dropped: 0, lines: [] });
    expect(curve?.timeNs.every((timeNs, at) => at === 0 || timeNs >= (curve.timeNs[at - 1] ?? 0))).toBe(true);
  });

  it("gives the same columns whatever the pieces are", () => {
    const text = traceOf(
      {
        ph: "X",
        cat: "cpu_op",
        name: 'a "quoted" \\ näme \u0001',
        pid: 5,
        tid: 6,
        ts: 1.25,
        dur: 3,
        args: { "Ev Idx": [1, { a: "}" }] },
      },
      kernel(2, 1.5),
      { ph: "i", s: "t", name: "mark", pid: "p", tid: "t", ts: 3 },
    );
    const whole = importText(text);
    for (const pieceBytes of [1, 2, 3, 7, 64]) expect(importText(text, pieceBytes)).toEqual(whole);
    expect(names(whole.timeline)).toEqual(['a "quoted" \\ näme \ufffd', "gemm", "mark"]);
  });

  it("keeps nanoseconds of microseconds since 1970", () => {
    const { timeline } = importText(
      traceOf(kernel("1719366349312345.678", 1.001), kernel("1719366349312345.679", 0.5, "b")),
    );
    expect(starts(timeline)).toEqual([0, 1]);
    expect(Array.from(timeline.events.durationNs)).toEqual([1001, 500]);
    expect(timeline.originUnixNs).toBe(1719366349312345678n);
  });

  it("sorts by start, longer first", () => {
    const { timeline } = importText(
      traceOf(kernel(5, 1, "c"), kernel(1, 1, "short"), kernel(1, 9, "long"), kernel(1, 4, "middle")),
    );
    expect(names(timeline)).toEqual(["long", "middle", "short", "c"]);
  });

  it("reads the array form, closed or not", () => {
    const elements = `[${JSON.stringify(kernel(1, 1))},\n${JSON.stringify(kernel(3, 1))}`;
    for (const text of [`${elements}]`, elements, `${elements},\n`, `\ufeff${elements}]`]) {
      const { timeline, report } = importText(text);
      expect(starts(timeline)).toEqual([0, 2000]);
      expect(report).toMatchObject({ total: 2, kept: 2, isTruncated: false });
    }
  });

  it("pairs begin and end, nested and asynchronous", () => {
    const at = (ph: string, ts: number, name = "", more: object = {}) => ({ ph, ts, name, pid: 1, tid: 1, ...more });
    const { timeline, report } = importText(
      traceOf(
        at("B", 0, "outer"),
        at("B", 1, "inner"),
        at("E", 2),
        at("E", 5),
        at("E", 6),
        at("b", 7, "async", { id: "0x1" }),
        at("e", 9, "async", { id: "0x1" }),
        at("B", 10, "open"),
        at("X", 10, "last", { dur: 4 }),
      ),
    );
    expect(names(timeline)).toEqual(["outer", "inner", "async", "open", "last"]);
    expect(Array.from(timeline.events.durationNs)).toEqual([5000, 1000, 2000, 4000, 4000]);
    expect(codesOf(report)).toEqual({ END_WITHOUT_BEGIN: 1, BEGIN_WITHOUT_END: 1 });
  });

  it("links launches by correlation and other arrows by their points", () => {
    const call = {
      ph: "X",
      cat: "cuda_runtime",
      name: "cudaLaunchKernel",
      pid: 9,
      tid: 9,
      ts: 0,
      dur: 1,
      args: { correlation: 77 },
    };
    const { timeline } = importText(
      traceOf(
        call,
        kernel(4, 2, "k", { args: { correlation: 77 } }),
        { ph: "X", cat: "cpu_op", name: "forward", pid: 9, tid: 9, ts: 10, dur: 5 },
        { ph: "X", cat: "cpu_op", name: "backward", pid: 9, tid: 8, ts: 20, dur: 5 },
        { ph: "s", cat: "fwdbwd", name: "fwdbwd", id: 3, pid: 9, tid: 9, ts: 11 },
        { ph: "f", cat: "fwdbwd", name: "fwdbwd", id: 3, pid: 9, tid: 8, ts: 20, bp: "e" },
      ),
    );
    expect(timeline.flows).toEqual({
      from: Uint32Array.of(0, 2),
      to: Uint32Array.of(1, 3),
      kind: Uint8Array.of(FlowKind.launch, FlowKind.forwardBackward),
    });
  });

  it("understands the old dialect", () => {
    const { timeline, report } = importText(
      traceOf(
        { ph: "X", cat: "Kernel", name: "ncclKernel_AllReduce", pid: 0, tid: "stream 20", ts: 1, dur: 2, args: {} },
        {
          ph: "X",
          cat: "Memcpy",
          name: "Memcpy DtoH (Device -> Pageable)",
          pid: 0,
          tid: "stream 7",
          ts: 5,
          dur: 2,
          args: { bytes: 64 },
        },
        { ph: "X", cat: "Runtime", name: "cudaHostAlloc", pid: 3, tid: 3, ts: 0, dur: 2 },
        { ph: "X", cat: "Operator", name: "aten::mm", pid: 3, tid: 3, ts: 0, dur: 3 },
      ),
    );
    const { pinnedAllocation, operator, collective, copyD2H } = EventKind;
    expect(report.format).toBe("kineto");
    expect(Array.from(timeline.events.kind)).toEqual([operator, pinnedAllocation, collective, copyD2H]);
  });

  it("takes numbers in quotes for the numbers that they are", () => {
    const onDevice = (pid: number | string, tid: number | string, ts: number) => ({
      ph: "X",
      cat: "Kernel",
      name: "k",
      pid,
      tid,
      ts,
      dur: 1,
    });
    const { timeline } = importText(traceOf(onDevice("1", "7", 0), onDevice(1, 7, 2), onDevice("0", "stream 7", 4)));
    expect(timeline.devices?.map(({ device }) => device)).toEqual([0, 1]);
    expect(timeline.lanes.map(({ device, stream }) => [device, stream])).toEqual([
      [1, "stream 7"],
      [0, "stream 7"],
    ]);
  });

  it("understands Ascend: times as texts, tasks by process", () => {
    const task = (name: string, ts: string, type: string) => ({
      ph: "X",
      name,
      pid: 400,
      tid: 2,
      ts,
      dur: "2.5",
      args: { "Task Type": type, "Stream Id": 2 },
    });
    const { timeline, report } = importText(
      traceOf(
        { ph: "M", name: "process_name", pid: 400, tid: 0, args: { name: "Ascend Hardware" } },
        task("MatMulV2", "1719366349312345.678", "AI_CORE"),
        task("hcom_allReduce_", "1719366349312350.678", "COMMUNICATION"),
        task("MEMCPY_ASYNC_DEVICE_TO_HOST", "1719366349312360.678", "MEMCPY_ASYNC"),
        task("EVENT_WAIT", "1719366349312370.678", "EVENT_WAIT"),
      ),
    );
    expect(report.format).toBe("ascend");
    const { kernel: isKernel, collective, copyD2H, annotation } = EventKind;
    expect(Array.from(timeline.events.kind)).toEqual([isKernel, collective, copyD2H, annotation]);
    expect(starts(timeline)).toEqual([0, 5000, 15000, 25000]);
    expect(measureTimeline(timeline).metrics).toMatchObject({ computeBusyNs: 2500, counts: { kernel: 1 } });
  });

  it("keeps devices apart", () => {
    const onDevice = (device: number, ts: number) => ({ ...kernel(ts, 2), pid: device, args: { device } });
    const { timeline } = importText(traceOf(onDevice(0, 0), onDevice(3, 1), onDevice(3, 5)));
    expect(timeline.devices).toEqual([
      { device: 0, name: "" },
      { device: 3, name: "" },
    ]);
    expect(measureTimeline(timeline, { device: 3 }).metrics).toMatchObject({ spanNs: 6000, computeBusyNs: 4000 });
  });

  it("gives ranges on a device, waits of a stream and what has no thread lanes of their own", () => {
    const onStream = (cat: string, name: string, ts: number) => ({
      ph: "X",
      cat,
      name,
      pid: 0,
      tid: 7,
      ts,
      dur: 2,
      args: { device: 0, stream: 7 },
    });
    const { timeline, report } = importText(
      traceOf(
        onStream("gpu_user_annotation", "forward", 0),
        onStream("kernel", "gemm", 0),
        onStream("cuda_sync", "Stream Wait Event", 3),
        { ph: "i", s: "g", name: "Record Window End", pid: "", tid: "", ts: 9 },
      ),
    );
    expect(timeline.lanes.map(({ role, stream }) => `${role}: ${stream}`)).toEqual([
      "annotation: stream 7 ranges",
      "compute: stream 7",
      "compute: stream 7 waits",
      "host: no thread",
    ]);
    expect(report.overlapped).toBe(0);
    expect(measureTimeline(timeline).metrics).toMatchObject({ computeBusyNs: 2000, computeWaitNs: 2000 });
  });

  it("counts what overlaps on one stream once per piece of work", () => {
    const { report } = importText(
      traceOf(kernel(0, 10), kernel(5, 1, "inside"), kernel(9, 4), { ...kernel(9, 4), tid: 8 }),
    );
    expect(report).toMatchObject({ total: 4, kept: 4, overlapped: 2, dropped: 0 });
    expect(report.lines[0]).toMatchObject({ code: "OVERLAP", count: 2, firstExample: "inside" });
  });

  it("takes no piece without length for an overlap at the start of another", () => {
    // Work of 0.3 us at 5.2 us, in whole microseconds: the piece behind it begins at the same time.
    const { report } = importText(traceOf(kernel(5, 0, "short"), kernel(5, 10), kernel(15, 0), kernel(15, 2)));
    expect(report).toMatchObject({ kept: 4, overlapped: 0 });
    expect(importText(traceOf(kernel(5, 10), kernel(7, 0))).report.overlapped).toBe(1);
  });
});

describe("the size of a copy", () => {
  const bytesOf = (bytes: number, dur: number) =>
    importText(traceOf(copy("DtoH", 1, dur, { args: { bytes, stream: 20, device: 0 } }))).timeline.events.bytes[0];

  it("is not known where no link and no memory could have moved it in that time", () => {
    expect(bytesOf(2 ** 30, 20_000)).toBe(2 ** 30);
    // 5 TB/s: a copy within the memory of a device.
    expect(bytesOf(5_000_000_000, 1000)).toBe(5_000_000_000);
    expect(bytesOf(1_000_000_000_000, 50)).toBeNaN();
  });

  it("stays where the recording has no duration", () => {
    expect(bytesOf(2 ** 30, 0)).toBe(2 ** 30);
  });
});
