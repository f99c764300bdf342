import { expect, test } from "vitest";
import { explainChoice } from "../../../src/core/sweep/explain.js";
import { point } from "./points.js";

const GIB = 1024 ** 3;

test("two sentences: the choice, and what is faster but too large", () => {
  const points = [
    point({ gradientCheckpointing: false, stepMs: 883, peakBytes: 74.9 * GIB, fits: false }),
    point({ stepMs: 1121 }),
  ];
  expect(explainChoice(points, 1, 40 * GIB)).toBe(
    "Choose checkpointing on, no offload: 1121 ms a step (1031 ms to 1211 ms, simulated) and 30.0 GiB at peak, within 40.0 GiB. " +
      "With checkpointing off, no offload it would be 21 % faster, but needs 74.9 GiB.",
  );
});

test("where the fastest fits, the second sentence says what a lower peak would cost", () => {
  const points = [
    point({ gradientCheckpointing: false, stepMs: 883, peakBytes: 74.9 * GIB }),
    point({ strategy: "veomni_async", patternSet: "half", cacheLimitGb: 4, stepMs: 1122 }),
  ];
  expect(explainChoice(points, 0, 80 * GIB)).toContain(
    "With checkpointing on, veomni_async on the first half of the layers (host cache 4 GiB) the peak would fall to 30.0 GiB, for a step that is 27 % slower.",
  );
});

test("where nothing fits, the lowest peak and what to change", () => {
  const text = explainChoice([point({ fits: false })], undefined, 10 * GIB);
  expect(text).toContain("Nothing of this grid fits 10.0 GiB. The lowest peak is 30.0 GiB");
});

test("small models keep their digits: a budget and a peak below a GiB are told apart", () => {
  const text = explainChoice([point({ fits: false, peakBytes: 3.5 * 1024 ** 2 })], undefined, GIB / 1024);
  expect(text).toContain("Nothing of this grid fits 1.00 MiB. The lowest peak is 3.50 MiB");
});

test("a choice that VeOmni cannot be told, or that moves nothing, says so", () => {
  expect(explainChoice([point({ strategy: "verl_sync" })], 0, 40 * GIB)).toContain(
    "verl_sync is no setting of a VeOmni configuration.",
  );
  const async = { strategy: "veomni_async", patternSet: "all", cacheLimitGb: 4 } as const;
  expect(explainChoice([point(async)], 0, 40 * GIB)).toContain("Here it moves nothing.");
  expect(explainChoice([point({ ...async, pinnedBytes: GIB })], 0, 40 * GIB)).not.toContain("moves nothing");
  expect(explainChoice([point({})], 0, 40 * GIB)).not.toContain("no setting");
});
