import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import type { ProfileRequest } from "../profile/request.js";
import type { ProfileModel, ProfileResult } from "../profile/result.js";
import { ASYNC_OFFLOAD, STRATEGIES, type StrategyName } from "../profile/strategies.js";
import { bestPoint, paretoFront } from "./choose.js";
import { explainChoice, LAYERS_OF } from "./explain.js";
import {
  type LayerNames,
  type PatternSet,
  type SweepBase,
  type SweepGrid,
  type SweepRequest,
  sweepRequests,
} from "./grid.js";
import { type LeftOut, pointsOf, type SweepPoint } from "./points.js";

/** A whole sweep: schema `offload-sweep/1`. */
export interface SweepResult {
  readonly schema: "offload-sweep/1";
  readonly device: { readonly name: string; readonly source: string };
  readonly model: ProfileModel;
  readonly seqLens: readonly number[];
  /** `null` where no budget is known. */
  readonly budgetBytes: number | null;
  readonly points: readonly SweepPoint[];
  /** Indices into `points`, by rising peak. */
  readonly front: readonly number[];
  readonly best: number | null;
  readonly explanation: string;
  /** What of the grid does not apply to this model. */
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Runs one simulated request. */
export type Simulate = (request: ProfileRequest) => Promise<Outcome<ProfileResult>>;

/** What the user gave beside the grid. */
export interface SweepWishes {
  readonly budgetBytes: number | undefined;
  /** What was asked for by its name, so that a model without a place for it is an error. */
  readonly named?: readonly (StrategyName | PatternSet)[];
}

/**
 * Simulates every point of a grid. The budget is the given one, else the memory of the device. What does not apply to the model is
 * left out, unless it was named and never applies. Fails with the engine's problem for the first request that it refuses
 * otherwise, and with `CANCELLED`: `isCancelled` is asked before and after each request, so who cancels may end the request too.
 */
export async function runSweep(
  simulate: Simulate,
  base: SweepBase,
  grid: SweepGrid,
  { budgetBytes: givenBudget, named = [] }: SweepWishes,
  onProgress: (done: number, total: number) => void = () => undefined,
  isCancelled: () => boolean = () => false,
): Promise<Outcome<SweepResult>> {
  const ask: Simulate = async (request) => {
    if (isCancelled()) return fail(cancelled);
    const answer = await simulate(request);
    return isCancelled() ? fail(cancelled) : answer;
  };
  const probe = await ask({ ...base, strategies: [ASYNC_OFFLOAD], gradientCheckpointing: "on", steps: 1 });
  if (!probe.ok) return probe;
  const budgetBytes = givenBudget ?? probe.value.device.memoryBytes ?? Number.POSITIVE_INFINITY;
  const requests = sweepRequests(base, grid, layerNames(probe.value));
  const answers: Answered[] = [];
  for (const [done, each] of requests.entries()) {
    onProgress(done, requests.length);
    const answered = await answer(ask, each);
    if (!answered.ok) return answered;
    answers.push(...answered.value);
  }
  const points = answers.flatMap(({ request, result }) =>
    result.ok ? pointsOf(request, result.value, budgetBytes) : [],
  );
  const refused = refusedOnce(answers);
  const missing = refused.find((each) => isMissed(each, named, points) || points.length === 0);
  if (missing !== undefined) return fail(missing.problem);
  const best = bestPoint(points);
  const { device, model, workload, warnings } = probe.value;
  return succeed({
    schema: "offload-sweep/1",
    device: { name: device.name, source: device.source ?? "" },
    model,
    seqLens: workload.seqLens,
    budgetBytes: Number.isFinite(budgetBytes) ? budgetBytes : null,
    points,
    front: paretoFront(points),
    best: best ?? null,
    explanation: explainChoice(points, best, budgetBytes),
    leftOut: refused.map(({ strategy, patternSet, problem }) => ({
      strategy,
      patternSet,
      code: problem.code,
      message: problem.cause === undefined ? problem.message : `${problem.message} ${problem.cause}`,
    })),
    warnings: warnings.filter(({ code }) => code === "MODEL_APPROXIMATED"),
  });
}

/** Refusals that say that a strategy or a selection has no place in this model. */
const NOT_APPLICABLE: readonly string[] = ["TOO_FEW_LAYERS", "SELECTION_EMPTY"];

/** A request and its result, or why it does not apply. */
interface Answered {
  readonly request: SweepRequest;
  readonly result: Outcome<ProfileResult>;
}

/** One strategy that does not apply must not take the others of its request with it: then each is asked for alone. */
async function answer(ask: Simulate, request: SweepRequest): Promise<Outcome<readonly Answered[]>> {
  const result = await ask(request.request);
  if (!result.ok && !NOT_APPLICABLE.includes(result.problem.code)) return result;
  if (result.ok || request.strategies.length === 1) return succeed([{ request, result }]);
  const answers: Answered[] = [];
  for (const strategy of request.strategies) {
    const strategies = [strategy];
    const alone = await answer(ask, { ...request, strategies, request: { ...request.request, strategies } });
    if (!alone.ok) return alone;
    answers.push(...alone.value);
  }
  return succeed(answers);
}

interface Refused extends Pick<LeftOut, "strategy" | "patternSet"> {
  readonly problem: Problem;
}

/** Whether something applies depends on the layers alone, so each strategy and pattern set is named once. */
function refusedOnce(answers: readonly Answered[]): readonly Refused[] {
  const refused = new Map<string, Refused>();
  for (const { request, result } of answers) {
    const [strategy] = request.strategies;
    if (result.ok || strategy === undefined) continue;
    const patternSet = STRATEGIES[strategy].selectsModules ? request.patternSet : null;
    const problem = patternSet === null ? result.problem : selectionProblem(result.problem, strategy, patternSet);
    refused.set(`${strategy} ${patternSet}`, { strategy, patternSet, problem });
  }
  return [...refused.values()];
}

/** The engine speaks of patterns; the user wrote none. */
function selectionProblem(problem: Problem, strategy: StrategyName, patternSet: PatternSet): Problem {
  if (problem.code !== "SELECTION_EMPTY") return problem;
  return {
    code: problem.code,
    message: `${strategy} on ${LAYERS_OF[patternSet]} selects nothing: the model has too few layers.`,
    nextStep: "Use other --patterns, or more --layers.",
  };
}

/** Whether what was refused was asked for by name, and nothing of that name could be simulated. */
function isMissed(
  { strategy, patternSet }: Refused,
  named: readonly (StrategyName | PatternSet)[],
  points: readonly SweepPoint[],
): boolean {
  const isStrategyMissed = named.includes(strategy) && !points.some((point) => point.strategy === strategy);
  if (isStrategyMissed || patternSet === null) return isStrategyMissed;
  return named.includes(patternSet) && !points.some((point) => point.patternSet === patternSet);
}

const cancelled = {
  code: "CANCELLED",
  message: "The sweep was cancelled.",
  nextStep: "Start it again when you want it.",
};

/** The engine's own pattern for all layers names their list. */
function layerNames(result: ProfileResult): LayerNames {
  const pattern = result.runs.find((run) => run.patterns !== null)?.patterns?.[0] ?? "model.layers.{*}";
  return { list: pattern.replace(/\.\{\*\}$/, ""), count: result.model.layers };
}
