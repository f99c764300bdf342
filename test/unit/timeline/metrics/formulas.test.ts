import { describe, expect, it } from "vitest";
import { findFindings } from "../../../../src/core/timeline/findings/findFindings.js";
import { analyse } from "../../../../src/core/timeline/query/analysis.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { sumRange } from "../../../../src/core/timeline/query/rangeSum.js";
import { describeTrace } from "../../../../src/core/timeline/traceJson.js";
import { importText, traceOf } from "../import/chrome/traceSamples.js";

/* The formulas of formulas.ts, computed a second time in the dullest way: nanosecond by nanosecond. */

type Role = "kernel" | "nccl" | "memset" | "dtod" | "d2h" | "h2d";

interface Work {
  readonly device: number;
  readonly role: Role;
  readonly startNs: number;
  readonly durationNs: number;
  readonly bytes: number;
}

const WRITTEN: Readonly<Record<Role, readonly [string, string]>> = {
  kernel: ["kernel", "gemm"],
  nccl: ["kernel", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"],
  memset: ["gpu_memset", "Memset (Device)"],
  dtod: ["gpu_memcpy", "Memcpy DtoD (Device -> Device)"],
  d2h: ["gpu_memcpy", "Memcpy DtoH (Device -> Pinned)"],
  h2d: ["gpu_memcpy", "Memcpy HtoD (Pinned -> Device)"],
};
const ROLES = Object.keys(WRITTEN) as Role[];
const COMPUTE: readonly Role[] = ["kernel", "memset", "dtod"];
const LENGTH_NS = 400;

/** A sequence that is the same every time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomWork(seed: number): Work[] {
  const random = randomOf(seed);
  return Array.from({ length: 40 }, () => ({
    device: random(2),
    role: ROLES[random(ROLES.length)] ?? "kernel",
    startNs: random(LENGTH_NS - 40),
    durationNs: random(5) === 0 ? 0 : random(40),
    bytes: random(1000),
  }));
}

/** A host event at 0 keeps the origin where it is. */
function traced(work: readonly Work[]) {
  const us = (ns: number) => `${(5_000_000 + ns) / 1000}`;
  const elements = work.map(({ device, role, startNs, durationNs, bytes }, at) => {
    const [cat, name] = WRITTEN[role];
    const args = `{"device":${device},"stream":${at},"bytes":${bytes}}`;
    return `{"ph":"X","cat":"${cat}","name":"${name}","pid":${device},"tid":${at},"ts":${us(startNs)},"dur":${durationNs / 1000},"args":${args}}`;
  });
  const origin = '{"ph":"X","cat":"cpu_op","name":"begin","pid":99,"tid":99,"ts":5000,"dur":0}';
  return importText(traceOf(origin, ...elements));
}

/** Whether any of the work covers each nanosecond. */
function coverage(work: readonly Work[], roles: readonly Role[]): boolean[] {
  const covered = new Array<boolean>(LENGTH_NS).fill(false);
  for (const { role, startNs, durationNs } of work)
    if (roles.includes(role)) covered.fill(true, startNs, startNs + durationNs);
  return covered;
}

/** What `trace --json` says of one device, of all its work or of `[fromNs, toNs)`. */
function counted(work: readonly Work[], device: number, range?: readonly [number, number]) {
  const own = work.filter((one) => one.device === device);
  const first = Math.min(...own.map(({ startNs }) => startNs));
  const last = Math.max(...own.map(({ startNs, durationNs }) => startNs + durationNs));
  const [fromNs, toNs] = range ?? [first, last];
  const touching = own.filter(({ startNs, durationNs }) =>
    durationNs === 0
      ? startNs >= fromNs && (range === undefined || startNs < toNs)
      : startNs < toNs && startNs + durationNs > fromNs,
  );
  const sum = (of: (at: number) => boolean) => {
    let ns = 0;
    for (let at = fromNs; at < toNs; at++) if (of(at)) ns++;
    return ns;
  };
  const compute = coverage(own, COMPUTE);
  const any = coverage(own, ROLES);
  const times = (...roles: Role[]) => {
    const busy = coverage(own, roles);
    return {
      busyNs: sum((at) => busy[at] === true),
      hiddenNs: sum((at) => busy[at] === true && compute[at] === true),
      exposedNs: sum((at) => busy[at] === true && compute[at] === false),
    };
  };
  const count = (role: Role) => touching.filter((one) => one.role === role).length;
  const bytes = (role: Role) => touching.reduce((total, one) => total + (one.role === role ? one.bytes : 0), 0);
  return {
    spanNs: toNs - fromNs,
    computeBusyNs: sum((at) => compute[at] === true),
    idleNs: sum((at) => any[at] !== true),
    counts: { kernel: count("kernel"), memset: count("memset"), dtod: count("dtod") },
    d2h: { count: count("d2h"), bytes: bytes("d2h"), ...times("d2h") },
    h2d: { count: count("h2d"), bytes: bytes("h2d"), ...times("h2d") },
    copiesAny: times("d2h", "h2d"),
    collective: { count: count("nccl"), ...times("nccl") },
  };
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed + 1);

describe("metrics by counting nanoseconds", () => {
  it.each(SEEDS)("of every device of a file, sample %i", (seed) => {
    const work = randomWork(seed);
    const { timeline, report } = traced(work);
    const { devices } = describeTrace({ file: "a", run: null }, timeline, report, []);
    expect(devices).toEqual([0, 1].map((device) => ({ device, name: "", ...counted(work, device) })));
    const indexed = indexTimeline(timeline);
    expect(indexed.overview.perDevice).toMatchObject([counted(work, 0), counted(work, 1)]);
    for (const device of [0, 1]) {
      const { idleNs, ...causes } = analyse(indexed, { device }).idle;
      expect(idleNs).toBe(counted(work, device).idleNs);
      expect(Object.values(causes).reduce((sum, ns) => sum + ns, 0)).toBe(idleNs);
    }
  });

  it.each(SEEDS)("of a selected time, its idle time and its layers, sample %i", (seed) => {
    const work = randomWork(seed);
    const random = randomOf(seed + 1000);
    const fromNs = random(LENGTH_NS - 60);
    const toNs = fromNs + 1 + random(200);
    const indexed = indexTimeline(traced(work).timeline);
    for (const device of [0, 1]) {
      const want = counted(work, device, [fromNs, Math.min(toNs, LENGTH_NS)]);
      const shown = sumRange(indexed, fromNs, Math.min(toNs, LENGTH_NS), device);
      expect(shown.metrics).toMatchObject(want);
      const { idleNs, ...causes } = shown.idle;
      expect(idleNs).toBe(want.idleNs);
      expect(Object.values(causes).reduce((sum, ns) => sum + ns, 0)).toBe(idleNs);
      const [none] = shown.layers;
      const { d2h, h2d, computeBusyNs } = want;
      const touches = want.counts.kernel + want.counts.memset + want.counts.dtod + d2h.count + h2d.count > 0;
      if (!touches) expect(none).toBeUndefined();
      else
        expect(none).toMatchObject({
          layer: -1,
          computeNs: computeBusyNs,
          d2hCount: d2h.count,
          d2hBytes: d2h.bytes,
          d2hBusyNs: d2h.busyNs,
          d2hExposedNs: d2h.exposedNs,
          h2dExposedNs: h2d.exposedNs,
        });
    }
  });
});

const on = (cat: string, name: string, tid: number, ts: number, dur: number, correlation: number, bytes = 0) => ({
  ph: "X",
  cat,
  name,
  pid: cat === "cuda_runtime" ? 900 : 0,
  tid,
  ts,
  dur,
  args: { correlation, ...(cat === "cuda_runtime" ? {} : { device: 0, stream: tid }), ...(bytes > 0 ? { bytes } : {}) },
});
const call = (name: string, ts: number, dur: number, correlation = 0) =>
  on("cuda_runtime", name, 900, ts, dur, correlation);

/*
 * One microsecond per unit. Device: gemm 10–20 | idle | synchronous pinned copy 30–50 | idle | gemm 70–100 | idle |
 * AllReduce 120–140 | idle | pageable copy 160–170 | idle | gemm 200–300.
 */
const STORY = [
  call("cudaLaunchKernel", 0, 2, 1),
  on("kernel", "gemm", 7, 10, 10, 1),
  // Launched at 25, in the gap: host late for 5 of the 10 until 30.
  call("cudaMemcpyAsync", 25, 2, 2),
  on("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 22, 30, 20, 2, 1_000_000),
  // The host stands until 60: 10 of the gap 50–70 wait for the copy; the launch at 65 is 5 late; 5 until the work begins.
  call("cudaStreamSynchronize", 27, 33),
  call("cudaLaunchKernel", 65, 2, 3),
  on("kernel", "gemm", 7, 70, 30, 3),
  // Launched long before the gap: 20 of other idle time.
  call("cudaLaunchKernel", 68, 2, 4),
  on("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 30, 120, 20, 4),
  // Waiting for the collective until 150, launch at 152, copy at 160.
  call("cudaDeviceSynchronize", 72, 78),
  call("cudaMemcpyAsync", 152, 2, 5),
  on("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 22, 160, 10, 5, 500_000),
  // Pinned memory is allocated in the gap 170–200: 15 of its 20 without compute are on the critical path, and 5 under it.
  call("cudaHostAlloc", 185, 20),
  call("cudaLaunchKernel", 160, 2, 6),
  on("kernel", "gemm", 7, 200, 100, 6),
];

describe("copies between devices", () => {
  it("are compute of the device that makes them, as those within one are", () => {
    const { timeline, report } = importText(
      traceOf(
        on("gpu_memcpy", "Memcpy PtoP (Device -> Device)", 7, 10, 10, 1, 1_000),
        on("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 7, 30, 10, 2, 1_000),
        on("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 22, 15, 20, 3, 1_000),
      ),
    );
    expect(describeTrace({ file: "a", run: null }, timeline, report, []).devices).toMatchObject([
      { counts: { dtod: 2 }, spanNs: 30_000, computeBusyNs: 20_000, idleNs: 0, d2h: { hiddenNs: 10_000 } },
    ]);
  });
});

describe("a step with known answers", () => {
  const indexed = indexTimeline(importText(traceOf(...STORY)).timeline);
  const us = (ns: number) => ns * 1000;

  it("splits the idle time by cause", () => {
    expect(analyse(indexed).idle).toEqual({
      idleNs: us(10 + 20 + 20 + 20 + 30),
      hostLateNs: us(5 + 5 + 2),
      copyWaitNs: us(10),
      collectiveWaitNs: us(10),
      otherNs: us(5 + 5 + 20 + 8 + 30),
    });
  });

  it("splits that of a selected time, cut at its edges", () => {
    // 55–155: 5 of the wait for the copy, then all of the gap until 70, 100–120, 140–155.
    expect(sumRange(indexed, us(55), us(155)).idle).toEqual({
      idleNs: us(15 + 20 + 15),
      hostLateNs: us(5 + 2),
      copyWaitNs: us(5),
      collectiveWaitNs: us(10),
      otherNs: us(5 + 20 + 3),
    });
    // Before the first work and after the last there is only other idle time.
    expect(sumRange(indexed, us(2), us(8)).idle).toMatchObject({ idleNs: us(6), otherNs: us(6) });
    expect(sumRange(indexed, us(290), us(310)).idle).toMatchObject({ idleNs: us(10), otherNs: us(10) });
  });

  it("names synchronous copies, pageable ones, and what pinning costs", () => {
    const found = new Map(findFindings(indexed).map((finding) => [finding.code, finding]));
    expect(found.get("BLOCKING_COPIES")).toMatchObject({ eventCount: 1, costNs: us(20) });
    expect(found.get("BLOCKING_COPIES")?.events[0]?.name).toBe("Memcpy DtoH (Device -> Pinned)");
    expect(found.get("PAGEABLE_COPIES")).toMatchObject({ eventCount: 1, costNs: us(10) });
    expect(found.get("PINNED_ALLOCATIONS")).toMatchObject({ eventCount: 1, costNs: us(15) });
    expect([...found.values()].filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("gives bandwidths in bytes per nanosecond", () => {
    expect(analyse(indexed).bandwidth).toMatchObject({
      d2h: { count: 1, medianGBps: 1_000_000 / us(20) },
      h2d: { count: 1, medianGBps: 500_000 / us(10) },
    });
  });
});
