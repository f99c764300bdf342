import { describe, expect, it } from "vitest";
import { formatReport } from "../../../src/cli/report/profileReport.js";
import { median } from "../../../src/core/base/noise.js";
import { measuredHints } from "../../../src/core/profile/measuredHints.js";
import {
  baselineOf,
  figuresOf,
  keptActivationBytes,
  measuredSteps,
  runTitle,
  stepDifference,
} from "../../../src/core/profile/runFigures.js";
import { sampleProfile } from "./sampleProfile.js";
import { sampleOffloadRun, sampleResult, sampleRun } from "./sampleResult.js";

const { result } = sampleProfile(4);

describe("runFigures", () => {
  it("takes none with the same checkpointing as the baseline", () => {
    expect(result.runs.map((_, at) => baselineOf(result, at))).toEqual([undefined, 0, undefined, 2]);
    const alone = { ...result, runs: result.runs.slice(1, 2) };
    expect(baselineOf(alone, 0)).toBeUndefined();
  });

  it("shows five figures with their differences", () => {
    const figures = figuresOf(result, 1);
    expect(figures.map((figure) => figure.id)).toEqual(["step", "afterForward", "peak", "pinned", "exposed"]);
    const after = figures[1];
    const [none, offload] = result.runs;
    if (after === undefined || none === undefined || offload === undefined) throw new Error("sample has no runs");
    expect(keptActivationBytes(offload)).toBeLessThan(keptActivationBytes(none));
    expect(after.trend).toBe("better");
    expect(after.difference).toContain("\u2212");
    expect(figures[4]?.trend).toBe("worse");
    expect(figuresOf(result, 0).every((figure) => figure.difference === null)).toBe(true);
    expect(figuresOf(result, 9)).toEqual([]);
  });

  const stepsOf = (...samples: readonly (readonly number[])[]) => ({
    ...result,
    device: { ...result.device, kind: "cpu" as const },
    runs: result.runs.slice(0, 2).map((run, at) => ({
      ...run,
      stepMs: { median: median(samples[at] ?? []), samples: samples[at] ?? [], stable: true },
    })),
  });

  it("calls a step difference good or bad only beyond the noise of the samples", () => {
    const step = (profile: typeof result) => figuresOf(profile, 1)[0];
    expect(step(stepsOf([10, 12, 11], [11.5, 10, 13]))).toMatchObject({ trend: "unclear", noise: "3.87\u00a0ms" });
    expect(step(stepsOf([10, 10.1, 10.2], [15, 15.1, 15.2]))).toMatchObject({ trend: "worse", noise: null });
    expect(step(stepsOf([10, 11], [20, 21]))).toMatchObject({
      trend: "unclear",
      noise: null,
      difference: "+10.0\u00a0ms",
    });
  });

  it("calls no difference good or bad where the median of a side was not stable", () => {
    const clear = stepsOf([10, 10.1, 10.2], [15, 15.1, 15.2]);
    const [none, offload] = clear.runs;
    if (none === undefined || offload === undefined) throw new Error("sample has no runs");
    for (const unsteady of [0, 1]) {
      const runs = clear.runs.map((run, at) => ({ ...run, stepMs: { ...run.stepMs, stable: at !== unsteady } }));
      const figures = figuresOf({ ...clear, runs }, 1);
      for (const figure of [figures[0], figures[4]])
        expect(figure).toMatchObject({ trend: "unclear", noise: null, marginSource: "unstable" });
      expect(stepDifference({ ...clear, runs }, runs[1] ?? offload, runs[0] ?? none)).toBe(
        "+5.00\u00a0ms, steps not stable",
      );
      // Bytes are counted, whatever the clock does.
      expect(figures[1]?.trend).toBe("better");
    }
    expect(figuresOf(clear, 1)[0]?.trend).toBe("worse");
  });

  const simulated = (...ranges: readonly (readonly [number, number] | undefined)[]) => {
    const clock = stepsOf([100], [90]);
    const runs = clock.runs.map((run, at) => {
      const range = ranges[at];
      return { ...run, stepMs: { ...run.stepMs, ...(range && { range }) } };
    });
    return { ...clock, device: { ...clock.device, kind: "sim" as const }, runs };
  };

  it("calls a simulated difference good or bad only where the ranges do not touch", () => {
    const step = (profile: typeof result) => figuresOf(profile, 1)[0];
    expect(step(simulated([96, 104], [86, 94]))).toMatchObject({ trend: "better", marginSource: "simulator" });
    expect(step(simulated([92, 108], [83, 97]))).toMatchObject({ trend: "unclear", noise: "15.0\u00a0ms" });
    expect(step(simulated([94, 106], [86, 94]))?.trend).toBe("unclear");
    // One that does not say how exact it is claims nothing.
    expect(step(simulated(undefined, [86, 94]))).toMatchObject({ trend: "unclear", noise: null });
    expect(step(simulated(undefined, undefined))?.trend).toBe("unclear");
    expect(measuredSteps(simulated([92, 108], [83, 97]), 0, 1)?.margin).toEqual({ width: 15e6, source: "simulator" });
  });

  it("judges exposed copies of one step only against a run that copies nothing", () => {
    const exposed = (profile: typeof result) => figuresOf(profile, 1)[4]?.trend;
    const clear = stepsOf([10, 10.1, 10.2], [15, 15.1, 15.2]);
    expect(exposed(clear)).toBe("worse");
    const copies = clear.runs[1]?.copies;
    if (copies === undefined) throw new Error("sample has no runs");
    const half = { ...copies, d2h: { ...copies.d2h, exposedNs: copies.d2h.exposedNs / 2 } };
    const both = { ...clear, runs: clear.runs.map((run, at) => (at === 0 ? { ...run, copies: half } : run)) };
    expect(exposed(both)).toBe("unclear");
    const sim = simulated([96, 104], [86, 94]);
    expect(exposed(sim)).toBe("unclear");
    const exactness = { bytes: "exact", counters: "exact", times: "estimated", timeShare: 0.1 } as const;
    expect(exposed({ ...sim, runs: sim.runs.map((run) => ({ ...run, exactness })) })).toBe("worse");
  });

  it("says where a real step would lie, of a simulated one", () => {
    const stepMs = { median: 1120, samples: [1120, 1120], stable: true, range: [1030, 1210] as const };
    const runs = result.runs.map((run) => ({ ...run, stepMs }));
    const [step, after] = figuresOf({ ...result, device: { ...result.device, kind: "sim" }, runs }, 1);
    expect(step).toMatchObject({ value: "1.12\u00a0s", range: "1.03–1.21\u00a0s, simulated" });
    expect(step?.formula).toBe(
      "Median of 2 simulated steps: 1.12\u00a0s (1.12\u00a0s, 1.12\u00a0s); a real step is expected within 1.03–1.21\u00a0s",
    );
    expect(after?.range).toBeNull();
    expect(figuresOf(result, 1)[0]?.range).toBeNull();
  });

  it("compares steps of one length with each other where lengths vary", () => {
    const uneven = stepsOf([10, 40, 10, 40], [11, 41, 11, 41]);
    expect(figuresOf(uneven, 1)[0]?.trend).toBe("unclear");
    const known = { ...uneven, workload: { ...uneven.workload, seqLens: [256, 1024] } };
    expect(figuresOf(known, 1)[0]?.trend).toBe("worse");
    expect(measuredSteps(known, 0, 1)).toEqual({
      aNs: 25e6,
      bNs: 26e6,
      margin: { width: 0, source: "samples" },
      samples: 4,
    });
    expect(measuredSteps(known, 0, 5)).toBeNull();
  });

  it("names a run by strategy and checkpointing", () => {
    expect(result.runs.map(runTitle)[1]).toBe("veomni_async · checkpointing on");
  });
});

describe("shares of device memory", () => {
  const GIB = 2 ** 30;
  // Parameters of 20 GiB; activations of 10 after forward and 16 at the peak, of which offload frees 4.
  const before = sampleRun({ staticBytes: 20 * GIB, afterForwardBytes: 30 * GIB, peakBytes: 36 * GIB });
  const after = { ...sampleOffloadRun, staticBytes: 20 * GIB, afterForwardBytes: 26 * GIB, peakBytes: 32 * GIB };
  const compared = sampleResult([before, after]);
  const plain = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ").replaceAll("\u2212", "-");

  it("are of what lies over static, in the header, the report and the hints alike", () => {
    const figures = new Map(figuresOf(compared, 1).map(({ id, difference }) => [id, plain(difference)]));
    expect(figures.get("afterForward")).toBe("-4.00 GiB (-40 %)");
    expect(figures.get("peak")).toBe("-4.00 GiB (-25 %)");
    const report = (plain(formatReport(compared)) ?? "").split("\n");
    const below = (label: string) => report[report.findIndex((line) => line.startsWith(label)) + 1] ?? "";
    expect(below("after forward, over static")).toContain("-4.00 GiB (-40 %)");
    expect(below("peak ")).toContain("-4.00 GiB (-25 %)");
    const [hint] = measuredHints("veomni:\n  enable_async_activation_offload: true", 0, compared);
    expect(plain(hint?.label)).toContain("-4.00 GiB (-40 %) after forward");
  });
});
