import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { launchPhases } from "../../../../src/core/timeline/layers/launchPhases.js";
import { importText, kernel, traceOf } from "../import/chrome/traceSamples.js";

/** Kernels that threads launched in this order: 1 is the main thread, 2 autograd's. */
function launchedBy(...threads: readonly (readonly [tid: number, count: number])[]): Timeline {
  const elements: object[] = [
    { ph: "X", cat: "cpu_op", name: "autograd::engine::evaluate_function: X", pid: 9, tid: 2, ts: 1, dur: 1 },
  ];
  let us = 0;
  for (const [tid, count] of threads)
    for (let at = 0; at < count; at++) {
      us += 2;
      const args = { correlation: us };
      elements.push({ ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid: 9, tid, ts: us, dur: 1, args });
      elements.push(kernel(us + 1, 1, "k", { args }));
    }
  return importText(traceOf(...elements)).timeline;
}

function phasesOf(timeline: Timeline) {
  const { kind } = timeline.events;
  const order = Uint32Array.from(kind.keys()).filter((at) => kind[at] === EventKind.kernel);
  return launchPhases(timeline, order).map(({ from, to, isBackward }) => [from, to, isBackward]);
}

describe("launchPhases", () => {
  it("splits where the thread that launches changes for long", () => {
    expect(phasesOf(launchedBy([1, 100], [2, 50], [1, 40], [2, 60]))).toEqual([
      [0, 100, false],
      [100, 150, true],
      [150, 190, false],
      [190, 250, true],
    ]);
  });

  it("takes a few launches of the other thread as part of what they interrupt", () => {
    expect(phasesOf(launchedBy([1, 100], [2, 5], [1, 40], [2, 60]))).toEqual([
      [0, 145, false],
      [145, 205, true],
    ]);
  });

  it("knows nothing where no thread ran autograd's engine", () => {
    const { timeline } = importText(traceOf(...Array.from({ length: 50 }, (_, at) => kernel(at * 2, 1))));
    expect(phasesOf(timeline)).toEqual([[0, 50, null]]);
  });
});
