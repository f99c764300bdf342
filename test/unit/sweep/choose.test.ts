import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestPoint, paretoFront } from "../../../src/core/sweep/choose.js";
import type { SweepPoint } from "../../../src/core/sweep/points.js";
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
    const two = { ...offloaded, patterns: ["a", "b"], cacheLimitGb: 0.25 };
    expect(bestPoint([point(two), point({ ...offloaded, patterns: ["a"], cacheLimitGb: 4 })])).toBe(1);
    expect(bestPoint([point({ ...two, cacheLimitGb: 4 }), point(two)])).toBe(1);
  });

  test("compares micro-batches by the time of one sequence", () => {
    expect(bestPoint([point({ stepMs: 1120 }), point({ stepMs: 2100, microBatch: 2 })])).toBe(1);
  });

  test("is none where nothing fits", () => {
    expect(bestPoint([point({ fits: false })])).toBeUndefined();
    expect(bestPoint([])).toBeUndefined();
  });
});

describe("front and choice", () => {
  test("of two that differ by rounding noise alone, both show the one without offload", () => {
    const offloaded = { strategy: "veomni_async", gradientCheckpointing: false, stepMs: 828.3123991854343 } as const;
    const plain = point({ gradientCheckpointing: false, stepMs: 828.3123991855757 });
    const points = [point(offloaded), plain];
    expect(paretoFront(points)).toEqual([1]);
    expect(bestPoint(points)).toBe(1);
  });

  /** Few values each, so that peaks are equal, and times equal, apart by less than counts, or apart by more. */
  const anyPoint: fc.Arbitrary<SweepPoint> = fc
    .record({
      strategy: fc.constantFrom("none", "veomni_async", "save_on_cpu"),
      gradientCheckpointing: fc.boolean(),
      peakBytes: fc.integer({ min: 1, max: 6 }),
      stepMs: fc
        .tuple(fc.integer({ min: 5, max: 8 }), fc.constantFrom(0, 1e-12, 1e-3, 3e-3))
        .map(([a, b]) => a * (1 + b)),
      pinnedBytes: fc.integer({ min: 0, max: 2 }),
    } as const)
    .map((given) => point(given));
  const anyPoints = fc.array(anyPoint, { maxLength: 20 });
  const same = 1.002;

  test("the front is the choice under every budget, and so holds the choice under any", () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const chosen = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((budget) => {
          const best = bestPoint(points.map((each) => ({ ...each, fits: each.peakBytes <= budget })));
          return best === undefined ? [] : [best];
        });
        expect([...paretoFront(points)].sort()).toEqual([...new Set(chosen)].sort());
      }),
    );
  });

  test("nothing beats a point of the front, and a point of the front is as good as each that is not on it", () => {
    fc.assert(
      fc.property(anyPoints, (points) => {
        const front = paretoFront(points).flatMap((index) => points[index] ?? []);
        const isUnbeaten = (one: SweepPoint): boolean =>
          !points.some((other) => other.peakBytes <= one.peakBytes && other.msPerSequence * same < one.msPerSequence);
        expect(front.filter((each) => !isUnbeaten(each))).toEqual([]);
        const isMatched = (one: SweepPoint): boolean =>
          front.some((other) => other.peakBytes <= one.peakBytes && other.msPerSequence <= one.msPerSequence * same);
        expect(points.filter((each) => !isMatched(each))).toEqual([]);
        const peaks = front.map(({ peakBytes }) => peakBytes);
        expect(peaks).toEqual([...peaks].sort((left, right) => left - right));
      }),
    );
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
