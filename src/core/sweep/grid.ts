import type { Problem } from "../base/outcome.js";
import type { ProfileRequest } from "../profile/request.js";
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../profile/strategies.js";
import type { WholeStep } from "../profile/wholeStep.js";

/** Which layers a point of the grid offloads. */
export type PatternSet = "all" | "second" | "half";

export const PATTERN_SETS: readonly PatternSet[] = ["all", "second", "half"];

/** What is tried. Every list has at least one entry; `none` among the strategies is the point without offload. */
export interface SweepGrid {
  readonly checkpointing: "on" | "off" | "both";
  readonly strategies: readonly StrategyName[];
  /** For strategies that select. */
  readonly patternSets: readonly PatternSet[];
  /** GiB, for the same. */
  readonly cacheLimitsGb: readonly number[];
  readonly microBatches: readonly number[];
}

export const DEFAULT_GRID: SweepGrid = {
  checkpointing: "both",
  strategies: STRATEGY_NAMES,
  patternSets: PATTERN_SETS,
  cacheLimitsGb: [4, 0.25],
  microBatches: [1],
};

/** Some tens of seconds for a model of 36 layers; beyond it people wait for a table that nobody can read. */
export const MOST_SIMULATED_STEPS = 10_000;

/** `SWEEP_TOO_LARGE` for a grid whose points take more steps than a sweep simulates. */
export function gridProblem(grid: SweepGrid, lengths: number): Problem | undefined {
  const selecting = grid.strategies.filter(selects).length;
  const settings = grid.strategies.length - selecting + selecting * grid.patternSets.length * grid.cacheLimitsGb.length;
  const points = settings * grid.microBatches.length * (grid.checkpointing === "both" ? 2 : 1);
  const steps = sweepSteps(lengths);
  if (points * steps <= MOST_SIMULATED_STEPS) return undefined;
  return {
    code: "SWEEP_TOO_LARGE",
    message: `This grid has ${points} points of ${steps} steps each, ${points * steps} simulated steps in all; at most ${MOST_SIMULATED_STEPS} are simulated.`,
    nextStep:
      "Give fewer values to --micro-batch, --cache-limit-gb or --seq, or name what is in question with --strategy, --patterns and --gc.",
  };
}

/** What all points share: model, device, lengths, layers, ranks. */
export type SweepBase = Pick<
  ProfileRequest,
  | "configJson"
  | "seqLens"
  | "packedTokens"
  | "layers"
  | "worldSize"
  | "sequenceParallel"
  | "optimizerBytes"
  | "opModel"
  | keyof WholeStep
> & { readonly device: string };

function selects(strategy: StrategyName): boolean {
  return STRATEGIES[strategy].selectsModules;
}

/** One request to the engine, and what its runs of strategies that select stand for. */
export interface SweepRequest {
  readonly request: ProfileRequest;
  readonly patternSet: PatternSet;
  readonly cacheLimitGb: number;
  readonly microBatch: number;
  /** `none` is run again only as the baseline of others. */
  readonly strategies: readonly StrategyName[];
}

/** Names of the layer list as the engine knows it. */
export interface LayerNames {
  /** e.g. `model.layers`. */
  readonly list: string;
  readonly count: number;
}

/**
 * The requests of a grid. Strategies that select nothing run once per micro-batch, others for every pair of pattern set and
 * cache limit. Three steps each: one warms up, as pinned memory is allocated there; lengths that vary take turns once.
 */
export function sweepRequests(base: SweepBase, grid: SweepGrid, layers: LayerNames): readonly SweepRequest[] {
  const requests: SweepRequest[] = [];
  for (const microBatch of grid.microBatches) {
    const add = (strategies: readonly StrategyName[], patternSet: PatternSet, cacheLimitGb: number): void => {
      const request = {
        ...base,
        strategies,
        gradientCheckpointing: grid.checkpointing,
        microBatch,
        patterns: patternsOf(patternSet, layers),
        cacheLimitGb,
        steps: sweepSteps(base.seqLens?.length ?? 1),
      };
      requests.push({ request, patternSet, cacheLimitGb, microBatch, strategies });
    };
    const others = grid.strategies.filter((strategy) => !selects(strategy));
    if (others.length > 0) add(others, "all", grid.cacheLimitsGb[0] ?? 4);
    for (const strategy of grid.strategies.filter(selects)) {
      for (const patternSet of grid.patternSets) {
        for (const cacheLimitGb of grid.cacheLimitsGb) add([strategy], patternSet, cacheLimitGb);
      }
    }
  }
  return requests;
}

export function sweepSteps(lengths: number): number {
  return lengths > 1 ? Math.min(10_000, 2 + 2 * lengths) : 3;
}

/** The pattern list of a set, as it would stand in a configuration. */
export function patternsOf(set: PatternSet, { list, count }: LayerNames): readonly string[] {
  if (set === "all") return [`${list}.{*}`];
  if (set === "second") return [`${list}.*[13579]`];
  return firstNumbers(Math.max(1, Math.floor(count / 2))).map((glob) => `${list}.${glob}`);
}

/** Globs that match exactly the whole numbers below `count`. */
function firstNumbers(count: number): readonly string[] {
  const last = count - 1;
  const globs: string[] = [];
  for (let tens = 0; tens * 10 <= last; tens += 1) {
    const most = Math.min(9, last - tens * 10);
    const head = tens === 0 ? "" : String(tens);
    globs.push(`${head}${most === 0 ? "0" : `[0-${most}]`}`);
  }
  return globs;
}
