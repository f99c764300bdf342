import { describe, expect, test } from "vitest";
import { describeLeftOut, explainChoice } from "../../../src/core/sweep/explain.js";
import { point } from "./points.js";

const GIB = 1024 ** 3;

test("two sentences: the choice, and what is faster but too large", () => {
  const points = [
    point({ gradientCheckpointing: false, stepMs: 883, peakBytes: 74.9 * GIB, fits: false }),
    point({ stepMs: 1121 }),
  ];
  expect(explainChoice(points, 1, 40 * GIB)).toBe(
    "Choose checkpointing on, no offload: 1121 ms a step (1031 ms to 1211 ms, simulated) and 30.0 GiB at peak, within 40.0 GiB. " +
      "Faster, but with 74.9 GiB too large: checkpointing off, no offload, 883 ms instead of 1121 ms a step.",
  );
});

test("where the fastest fits, the second sentence says what a lower peak would cost", () => {
  const points = [
    point({ gradientCheckpointing: false, stepMs: 883, peakBytes: 74.9 * GIB }),
    point({ strategy: "veomni_async", patternSet: "half", cacheLimitGb: 4, stepMs: 1122 }),
  ];
  expect(explainChoice(points, 0, 80 * GIB)).toContain(
    "A peak of only 30.0 GiB: checkpointing on, veomni_async on the first half of the layers (host cache 4 GiB), 1122 ms instead of 883 ms a step.",
  );
});

describe("micro-batches that differ are compared per sequence", () => {
  const pair = point({ microBatch: 2, stepMs: 1657, peakBytes: 134.5 * GIB });

  test("what is faster but too large", () => {
    const four = point({ microBatch: 4, stepMs: 3252, peakBytes: 253.7 * GIB, fits: false });
    expect(explainChoice([pair, four], 0, 140 * GIB)).toBe(
      "Choose checkpointing on, no offload, micro-batch 2: 1657 ms a step (1524 ms to 1790 ms, simulated), 829 ms per sequence and 134.5 GiB at peak, within 140.0 GiB. " +
        "Perhaps faster, but with 253.7 GiB too large: checkpointing on, no offload, micro-batch 4, 813 ms instead of 829 ms per sequence, within the simulated range.",
    );
  });

  test("what is smaller, with its micro-batch of 1 by name; its step is shorter", () => {
    expect(explainChoice([pair, point({ stepMs: 883 })], 0, 140 * GIB)).toContain(
      "A peak of only 30.0 GiB: checkpointing on, no offload, micro-batch 1, 883 ms instead of 829 ms per sequence, within the simulated range.",
    );
  });

  test("what is faster only within the simulated range is not called faster", () => {
    const large = point({ stepMs: 999, peakBytes: 60 * GIB, fits: false });
    const small = point({ stepMs: 1001, peakBytes: 20 * GIB, strategy: "save_on_cpu" });
    expect(explainChoice([point({}), large, small], 0, 40 * GIB)).toContain(
      "A peak of only 20.0 GiB: checkpointing on, save_on_cpu, 1001 ms instead of 1000 ms a step, within the simulated range.",
    );
  });
});

test("equal times are called the same", () => {
  const small = point({ stepMs: 1000, peakBytes: 20 * GIB, strategy: "save_on_cpu" });
  expect(explainChoice([point({}), small], 0, 40 * GIB)).toContain("save_on_cpu, the same time.");
});

test("what is left out is said with its reason", () => {
  const message = "verl_sync needs at least 3 layers. The model has 2.";
  expect(describeLeftOut({ strategy: "verl_sync", patternSet: null, code: "TOO_FEW_LAYERS", message })).toBe(
    "Left out: verl_sync needs at least 3 layers. The model has 2.",
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
