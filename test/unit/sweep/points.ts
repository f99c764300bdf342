import type { SweepPoint } from "../../../src/core/sweep/points.js";

/** A point of a sweep; what a test says nothing about is that of a plain step. */
export function point(given: Partial<SweepPoint>): SweepPoint {
  const stepMs = given.stepMs ?? 1000;
  const microBatch = given.microBatch ?? 1;
  return {
    strategy: "none",
    gradientCheckpointing: true,
    patternSet: null,
    patterns: null,
    cacheLimitGb: null,
    microBatch,
    stepMs,
    stepMsRange: [0.92 * stepMs, 1.08 * stepMs],
    msPerSequence: stepMs / microBatch,
    peakBytes: 30 * 1024 ** 3,
    afterForwardBytes: 20 * 1024 ** 3,
    pinnedBytes: 0,
    hiddenShare: null,
    fits: true,
    ...given,
  };
}
