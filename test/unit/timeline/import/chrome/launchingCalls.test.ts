import { describe, expect, it } from "vitest";
import { findRecordingGaps } from "../../../../../src/core/timeline/findings/recordingGaps.js";
import { indexTimeline } from "../../../../../src/core/timeline/query/indexedTimeline.js";
import { importText, kernel, traceOf } from "./traceSamples.js";

const ids = [1, 2, 3, 4, 5];

const call = (pid: number | string, ts: number, correlation: number) => ({
  ...{ ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid, tid: 1, ts, dur: 1, args: { correlation } },
});
const work = (pid: number | string, ts: number, correlation: number) =>
  kernel(ts, 2, "k", { pid, args: { device: 0, stream: 7, correlation } });

/** Host process and device process of every launch, in order of the work. */
function launches(...elements: object[]) {
  const { timeline, report } = importText(traceOf(...elements));
  const processOf = (event: number) => {
    const { process = "", stream } = timeline.lanes[timeline.events.lane[event] ?? 0] ?? {};
    return `${process}${process === "" ? stream : ""}`;
  };
  const { from = [], to = [] } = timeline.flows ?? {};
  const pairs = Array.from(to, (event, at) => ({ event, pair: [processOf(from[at] ?? 0), processOf(event)] }));
  return {
    pairs: pairs.sort((a, b) => a.event - b.event).map(({ pair }) => pair.join(" -> ")),
    calls: new Set(from).size,
    gaps: findRecordingGaps(indexTimeline(timeline, 0, report)),
  };
}

describe("launches of ranks that were merged into one file", () => {
  it("belong each to its own rank where all ran at the same time", () => {
    const { pairs, calls, gaps } = launches(
      ...[4242, 4243].flatMap((pid) => ids.map((id) => call(pid, 100 * id, id))),
      ...[0, 1].flatMap((pid) => ids.map((id) => work(pid, 1_000 + 10 * id + pid, id))),
      { ph: "M", name: "process_name", pid: 0, args: { name: "GPU of 4242" } },
      { ph: "M", name: "process_name", pid: 1, args: { name: "GPU of 4243" } },
    );
    expect(calls).toBe(10);
    expect(new Set(pairs)).toEqual(new Set(["process 4242 -> GPU of 4242", "process 4243 -> GPU of 4243"]));
    expect(gaps).toEqual([]);
  });

  it("belong to the process that the work is in, where a merge made one process of each rank", () => {
    const { pairs, gaps } = launches(
      ...["rank 1", "rank 0"].flatMap((pid) => ids.map((id) => call(pid, 100 * id, id))),
      ...["rank 0", "rank 1"].flatMap((pid) => ids.map((id) => work(pid, 1_000 + 10 * id, id))),
      ...["rank 0", "rank 1"].map((pid) => ({ ph: "M", name: "process_name", pid, args: { name: `of ${pid}` } })),
    );
    expect(new Set(pairs)).toEqual(new Set(["of rank 0 (rank 0) -> of rank 0", "of rank 1 (rank 1) -> of rank 1"]));
    expect(gaps).toEqual([]);
  });

  it("go with time before order: no work starts before its call", () => {
    const { pairs, gaps } = launches(
      ...ids.map((id) => call(4242, 500 + 10 * id, id)),
      ...ids.map((id) => call(4243, 10 * id, id)),
      ...ids.map((id) => work(0, 100 + 10 * id, id)),
      ...ids.map((id) => work(1, 600 + 10 * id, id)),
      { ph: "M", name: "process_name", pid: 0, args: { name: "first" } },
      { ph: "M", name: "process_name", pid: 1, args: { name: "second" } },
    );
    expect(new Set(pairs)).toEqual(new Set(["process 4243 -> first", "process 4242 -> second"]));
    expect(gaps).toEqual([]);
  });

  it("start several pieces of work each, as graphs do", () => {
    const { calls, pairs, gaps } = launches(
      ...[4242, 4243].map((pid) => call(pid, 10, 1)),
      ...[0, 1].flatMap((pid) => ids.map((at) => work(pid, 100 + 10 * at, 1))),
    );
    expect([calls, pairs.length]).toEqual([2, 10]);
    expect(gaps).toEqual([]);
  });

  it("are still missed where a rank has no work", () => {
    const { gaps } = launches(
      ...[4242, 4243, 4244].flatMap((pid) => ids.map((id) => call(pid, 100 * id, id))),
      ...[0, 1].flatMap((pid) => ids.map((id) => work(pid, 1_000 + 10 * id, id))),
    );
    expect(gaps[0]).toMatchObject({ code: "LAUNCHES_WITHOUT_WORK", eventCount: 5 });
  });
});

it("one process that uses an id again launches with the last call before the work", () => {
  const { timeline } = importText(traceOf(call(9, 0, 1), work(0, 5, 1), call(9, 50, 1), work(0, 55, 1)));
  expect([...(timeline.flows?.from ?? [])]).toEqual([0, 2]);
  expect([...(timeline.flows?.to ?? [])]).toEqual([1, 3]);
});
