import type { ProfileResult, ProfileRun } from "../profile/result.js";
import { STRATEGIES, type StrategyName } from "../profile/strategies.js";
import type { PatternSet, SweepRequest } from "./grid.js";

/** One point of the grid with what the simulation found. Times are per sequence, so that micro-batches compare. */
export interface SweepPoint {
  readonly strategy: StrategyName;
  readonly gradientCheckpointing: boolean;
  /** `null` for strategies that select nothing. */
  readonly patternSet: PatternSet | null;
  readonly patterns: readonly string[] | null;
  readonly cacheLimitGb: number | null;
  readonly microBatch: number;
  readonly stepMs: number;
  /** Between which times a real step is expected. */
  readonly stepMsRange: readonly [number, number];
  readonly msPerSequence: number;
  readonly peakBytes: number;
  readonly afterForwardBytes: number;
  /** What the pinned allocator holds, not only what is in flight. */
  readonly pinnedBytes: number;
  /** Share of the copies' time that lies under compute, 0 … 1; `null` without copies. */
  readonly hiddenShare: number | null;
  /** Whether the peak is within the budget. */
  readonly fits: boolean;
}

/** What the grid asks for and the model has no place for: it has no points. */
export interface LeftOut {
  readonly strategy: StrategyName;
  /** `null` for strategies that select nothing. */
  readonly patternSet: PatternSet | null;
  /** `TOO_FEW_LAYERS` or `SELECTION_EMPTY`. */
  readonly code: string;
  /** Names what is left out, and says why. */
  readonly message: string;
}

/** The points of one answer. */
export function pointsOf(
  { patternSet, cacheLimitGb, microBatch, strategies }: SweepRequest,
  result: ProfileResult,
  budgetBytes: number,
): readonly SweepPoint[] {
  return result.runs
    .filter((run) => strategies.includes(run.strategy))
    .map((run) => {
      const selects = STRATEGIES[run.strategy].selectsModules;
      return {
        strategy: run.strategy,
        gradientCheckpointing: run.gradientCheckpointing,
        patternSet: selects ? patternSet : null,
        patterns: selects ? (run.patterns ?? null) : null,
        cacheLimitGb: selects ? cacheLimitGb : null,
        microBatch,
        stepMs: run.stepMs.median,
        stepMsRange: run.stepMs.range ?? [run.stepMs.median, run.stepMs.median],
        msPerSequence: run.stepMs.median / microBatch,
        peakBytes: run.peakBytes,
        afterForwardBytes: run.afterForwardBytes,
        pinnedBytes: run.hostAllocator?.bytesHeld ?? 0,
        hiddenShare: hiddenShareOf(run),
        fits: run.peakBytes <= budgetBytes,
      };
    });
}

/** Hidden part of the copies' busy time in both directions. */
export function hiddenShareOf({ copies: { d2h, h2d } }: Pick<ProfileRun, "copies">): number | null {
  const busyNs = d2h.busyNs + h2d.busyNs;
  return busyNs > 0 ? (d2h.hiddenNs + h2d.hiddenNs) / busyNs : null;
}
