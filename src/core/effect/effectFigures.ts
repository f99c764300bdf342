import { type Expected, simulatedMargin, type Trend, trendOf } from "../base/noise.js";
import { fail, type Outcome, succeed } from "../base/outcome.js";
import { protocolProblem } from "../profile/profilerProblems.js";
import type { ProfileResult, ProfileRun } from "../profile/result.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../profile/strategies.js";
import { hiddenShareOf } from "../sweep/points.js";
import type { JobStep } from "../workload/jobStep.js";
import type { EffectQuestion } from "./effectRequest.js";

/** What async offload of one block does, simulated. Bytes are exact where the engine knows the model. */
export interface EffectFigures {
  readonly deviceName: string;
  readonly step: JobStep;
  readonly scope: EffectQuestion["scope"];
  /** Negative where the offload costs memory. */
  readonly freedBytes: number;
  readonly peakBytes: { readonly without: number; readonly with: number };
  /** What the pinned allocator holds. */
  readonly pinnedBytes: number;
  /** 0 … 1; `null` without copies. */
  readonly hiddenShare: number | null;
  readonly stepMs: { readonly without: number; readonly with: number };
  readonly stepMsRange: readonly [number, number];
  /** Of the step without offload. */
  readonly overheadShare: number;
  /** Of the step with offload beside the one without: `unclear` where the ranges of the two simulated times touch. */
  readonly stepTrend: Trend;
  readonly isExact: boolean;
  /** Whether the peak fits the device; `undefined` when its memory is not known. */
  readonly fits: boolean | undefined;
}

/** Reads the answer to the request of a question. */
export function effectFigures(
  result: ProfileResult,
  { step, scope }: Pick<EffectQuestion, "step" | "scope">,
): Outcome<EffectFigures> {
  const without = result.runs.find(({ strategy }) => strategy === NO_OFFLOAD);
  const offloaded = result.runs.find(({ strategy }) => strategy === ASYNC_OFFLOAD);
  if (without === undefined || offloaded === undefined) {
    return fail(protocolProblem("Its result lacks a run that was asked for."));
  }
  const before = without.stepMs.median;
  const after = offloaded.stepMs.median;
  return succeed({
    deviceName: result.device.name,
    step,
    scope,
    freedBytes: without.afterForwardBytes - offloaded.afterForwardBytes,
    peakBytes: { without: without.peakBytes, with: offloaded.peakBytes },
    pinnedBytes: offloaded.hostAllocator?.bytesHeld ?? 0,
    hiddenShare: hiddenShareOf(offloaded),
    stepMs: { without: before, with: after },
    stepMsRange: offloaded.stepMs.range ?? [after, after],
    overheadShare: before > 0 ? after / before - 1 : 0,
    stepTrend: trendOf(before, after, simulatedMargin(expectedOf(without), expectedOf(offloaded)), true),
    isExact: offloaded.exactness?.bytes === "exact",
    fits: offloaded.fitsDevice,
  });
}

function expectedOf({ stepMs }: ProfileRun): Expected {
  return { value: stepMs.median, range: stepMs.range };
}
