import { describe, expect, it } from "vitest";
import { importBytes, importText, kernel, traceBytes, traceOf } from "../import/chrome/traceSamples.js";

describe("recogniseSteps", () => {
  it("finds forward and backward of one step", () => {
    const { timeline } = importBytes(traceBytes("q8_s8k_gc_veomni.pt.trace.json.gz"));
    expect(timeline.spans.map(({ kind }) => kind)).toEqual(["forward", "backward"]);
    const [forward, backward] = timeline.spans;
    expect(forward?.endNs).toBe(backward?.startNs);
    expect(
      ((backward?.endNs ?? 0) - (backward?.startNs ?? 0)) / ((forward?.endNs ?? 1) - (forward?.startNs ?? 0)),
    ).toBeGreaterThan(2);
  });

  it("counts steps on the device, from the first work of one to the first of the next", () => {
    const step = (at: number) => [
      { ph: "X", cat: "user_annotation", name: `ProfilerStep#${at}`, pid: 9, tid: 9, ts: at * 100, dur: 100 },
      {
        ph: "X",
        cat: "cuda_runtime",
        name: "cudaLaunchKernel",
        pid: 9,
        tid: 9,
        ts: at * 100 + 1,
        dur: 1,
        args: { correlation: at + 1 },
      },
      kernel(at * 100 + 30, 40, "k", { args: { correlation: at + 1 } }),
    ];
    const { timeline } = importText(traceOf(...[0, 1, 2].flatMap(step)));
    expect(timeline.spans).toEqual([
      { kind: "step", label: "step 0", startNs: 30_000, endNs: 130_000 },
      { kind: "step", label: "step 1", startNs: 130_000, endNs: 230_000 },
      { kind: "step", label: "step 2", startNs: 230_000, endNs: 270_000 },
    ]);
  });

  /** Launches of the threads 1 (main) and 2 (autograd), each with one kernel of 8 µs, ten apart. */
  const launches = (...threads: readonly (1 | 2)[]) => [
    { ph: "X", cat: "cpu_op", name: "autograd::engine::evaluate_function: X", pid: 9, tid: 2, ts: 0, dur: 1 },
    ...threads.flatMap((tid, at) => {
      const args = { correlation: at + 1 };
      const call = { ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid: 9, tid, ts: at * 10, dur: 1, args };
      return [call, kernel(at * 10 + 1, 8, "k", { args })];
    }),
  ];
  const spansOf = (...elements: readonly object[]) =>
    importText(traceOf(...elements)).timeline.spans.map(({ kind, startNs, endNs }) => [
      kind,
      startNs / 1000,
      endNs / 1000,
    ]);

  it("tells micro-batches of one step apart", () => {
    expect(spansOf(...launches(1, 1, 2, 2, 2, 1, 1, 2, 2, 1))).toEqual([
      ["forward", 1, 21],
      ["backward", 21, 49],
      ["forward", 51, 71],
      ["backward", 71, 89],
      ["optimizer", 91, 99],
    ]);
  });

  it("knows the optimizer by its mark, also between steps that have none", () => {
    const mark = {
      ph: "X",
      cat: "user_annotation",
      name: "Optimizer.step#AdamW.step",
      pid: 9,
      tid: 1,
      ts: 40,
      dur: 15,
    };
    expect(spansOf(mark, ...launches(1, 1, 2, 2, 1, 1, 1, 2))).toEqual([
      ["forward", 1, 21],
      ["backward", 21, 39],
      ["optimizer", 41, 59],
      ["forward", 61, 71],
      ["backward", 71, 79],
    ]);
  });

  it("calls a few launches of another thread no phase", () => {
    const many = (tid: 1 | 2, count: number) => Array.from({ length: count }, () => tid);
    const spans = spansOf(...launches(...many(1, 150), 2, ...many(1, 50), ...many(2, 300), 1, ...many(2, 100)));
    expect(spans.map(([kind]) => kind)).toEqual(["forward", "backward"]);
    expect(spans[1]?.[1]).toBe(2011);
  });
});
