import type { EffectFigures } from "../../../src/core/effect/effectFigures.js";
import { jobStep } from "../../../src/core/workload/jobStep.js";

const GIB = 1024 ** 3;

/** The simulated effect on the large recorded shape. */
export function figures(given: Partial<EffectFigures> = {}): EffectFigures {
  return {
    deviceName: "H200",
    step: jobStep({ seqLen: 8192 }, undefined),
    scope: { members: {}, stackOnly: "no configuration describes the rest of the step" },
    freedBytes: 35 * 64 * 1024 ** 2,
    peakBytes: { without: 30 * GIB, with: 30 * GIB },
    pinnedBytes: 35 * 64 * 1024 ** 2,
    hiddenShare: 0.975,
    stepMs: { without: 1120.6, with: 1122 },
    stepMsRange: [1032, 1212],
    overheadShare: 0.00125,
    stepTrend: "unclear",
    isExact: true,
    fits: true,
    ...given,
  };
}
