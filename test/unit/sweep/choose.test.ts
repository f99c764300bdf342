import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bestPoint, paretoFront } from "../../../src/core/sweep/choose.js";
import { point } from "./points.js";

const GIB = 1024 ** 3;

test("the front holds what nothing beats in both, by rising peak", () => {
  const points = [
    point({ peakBytes: 75 * GIB, stepMs: 880 }),
    point({ peakBytes: 30 * GIB, stepMs: 1120 }),
    point({ peakBytes: 31 * GIB, stepMs: 2380 }),
    point({ peakBytes: 29 * GIB, stepMs: 4060 }),
    point({ peakBytes: 30 * GIB, stepMs: 1120 }),
  ];
  expect(paretoFront(points)).toEqual([3, 1, 0]);
});

describe("the choice", () => {
  test("is the fastest that fits", () => {
    const points = [point({ stepMs: 880, fits: false }), point({ stepMs: 2000 }), point({ stepMs: 1120 })];
    expect(bestPoint(points)).toBe(2);
  });

  test("of equal times takes the fewest moving parts, then the lowest peak, then the fewest pinned bytes", () => {
    const offloaded = { strategy: "veomni_async", stepMs: 1121 } as const;
    expect(bestPoint([point(offloaded), point({ stepMs: 1122 })])).toBe(1);
    expect(bestPoint([point(offloaded), point({ ...offloaded, peakBytes: 20 * GIB })])).toBe(1);
    expect(bestPoint([point({ ...offloaded, pinnedBytes: 2 }), point({ ...offloaded, pinnedBytes: 1 })])).toBe(1);
  });

  test("compares micro-batches by the time of one sequence", () => {
    expect(bestPoint([point({ stepMs: 1120 }), point({ stepMs: 2100, microBatch: 2 })])).toBe(1);
  });

  test("is none where nothing fits", () => {
    expect(bestPoint([point({ fits: false })])).toBeUndefined();
    expect(bestPoint([])).toBeUndefined();
  });
});

interface RecordedRun {
  readonly shape: string;
  readonly mode: string;
  readonly step_ms_median: number;
  readonly peak_bytes: number;
}

test("on the recorded steps themselves, the choice is the smallest step among those that fit", () => {
  const text = readFileSync(new URL("../../fixtures/reference-runs.json", import.meta.url), "utf8");
  const { runs } = JSON.parse(text) as { readonly runs: readonly RecordedRun[] };
  const large = runs.filter(({ shape }) => shape === "q8_s8k");
  expect(large).toHaveLength(7);
  for (const budgetGib of [80, 60, 40, 31, 30]) {
    const points = large.map((run) =>
      point({
        strategy: run.mode.includes("veomni_async")
          ? "veomni_async"
          : run.mode.includes("save_on_cpu")
            ? "save_on_cpu"
            : "none",
        stepMs: run.step_ms_median,
        peakBytes: run.peak_bytes,
        fits: run.peak_bytes <= budgetGib * GIB,
      }),
    );
    const chosen = points[bestPoint(points) ?? -1];
    const fastest = Math.min(...points.filter(({ fits }) => fits).map(({ stepMs }) => stepMs));
    // Within the scatter of repeated steps, 0.2 %.
    expect(chosen?.fits).toBe(true);
    expect((chosen?.stepMs ?? 0) / fastest).toBeLessThan(1.002);
  }
});
