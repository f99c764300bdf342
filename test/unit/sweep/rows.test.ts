import { expect, test } from "vitest";
import { paretoFront } from "../../../src/core/sweep/choose.js";
import type { SweepPoint } from "../../../src/core/sweep/points.js";
import { sweepRows } from "../../../src/core/sweep/rows.js";
import { point } from "./points.js";

const async = (given: Partial<SweepPoint>) =>
  point({ strategy: "veomni_async", patterns: ["model.layers.{*}"], ...given });
const rowsOf = (points: readonly SweepPoint[], best: number | null = null) =>
  sweepRows({ points, best, front: paretoFront(points) });

test("limits that make no difference share a row; the choice stands for it", () => {
  const moved = { patternSet: "all", pinnedBytes: 2 ** 30, hiddenShare: 0.9 } as const;
  const points = [
    async({ ...moved, cacheLimitGb: 4 }),
    async({ ...moved, cacheLimitGb: 0.25 }),
    async({ ...moved, cacheLimitGb: 1, stepMs: 1001 }),
  ];
  expect(rowsOf(points, 1)).toMatchObject([
    { index: 1, indices: [0, 1], patternSets: ["all"], cacheLimitsGib: "0.25, 4", movesNothing: false, mark: "choice" },
    { index: 2, indices: [2], cacheLimitsGib: "1", movesNothing: false },
  ]);
});

test("an offload that moves nothing is one row that says so, whatever layers it takes", () => {
  const points = [
    point({}),
    async({ patternSet: "all", cacheLimitGb: 4 }),
    async({ patternSet: "half", cacheLimitGb: 4 }),
  ];
  expect(rowsOf(points)).toMatchObject([
    { indices: [0], movesNothing: false, cacheLimitsGib: "" },
    { indices: [1, 2], patternSets: ["all", "half"], movesNothing: true },
  ]);
});

test("what fits comes first, however fast the rest is; no point is lost", () => {
  const points = [
    point({ stepMs: 500, fits: false, peakBytes: 90 }),
    point({ stepMs: 900, gradientCheckpointing: false }),
    point({ stepMs: 800 }),
    point({ stepMs: 400, fits: false, peakBytes: 91 }),
  ];
  const rows = rowsOf(points, 2);
  expect(rows.map(({ index, mark }) => [index, mark])).toEqual([
    [2, "choice"],
    [1, ""],
    [3, "too large"],
    [0, "too large"],
  ]);
  expect(rows.flatMap(({ indices }) => indices).sort()).toEqual([0, 1, 2, 3]);
});
