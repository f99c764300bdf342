import { describe, expect, it } from "vitest";
import { median } from "../../../../src/core/timeline/metrics/noise.js";
import {
  baselineOf,
  figuresOf,
  keptActivationBytes,
  measuredSteps,
  runTitle,
} from "../../../../src/core/timeline/metrics/runFigures.js";
import { sampleProfile } from "../../profile/sampleProfile.js";

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
      stepMs: { median: median(samples[at] ?? []), samples: samples[at] ?? [], stable: false },
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
    const clock = stepsOf([10], [9]);
    expect(step({ ...clock, device: { ...clock.device, kind: "sim" } })?.trend).toBe("better");
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
    expect(measuredSteps(known, 0, 1)).toEqual({ aNs: 25e6, bNs: 26e6, noiseNs: 0, samples: 4 });
    expect(measuredSteps(known, 0, 5)).toBeNull();
  });

  it("names a run by strategy and checkpointing", () => {
    expect(result.runs.map(runTitle)[1]).toBe("veomni_async · checkpointing on");
  });
});
