import { describe, expect, it } from "vitest";
import { importBytes, importText, kernel, traceBytes, traceOf } from "../import/traceSamples.js";

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
});
