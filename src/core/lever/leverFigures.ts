import type { Expected } from "../base/noise.js";
import { fail, type Outcome, succeed } from "../base/outcome.js";
import { protocolProblem } from "../profile/profilerProblems.js";
import type { ProfileResult, ProfileRun, StepPhaseName } from "../profile/result.js";
import type { LeverQuestion } from "./leverRequest.js";

/** What the simulator says of one configuration, with what makes times of two of them comparable. */
export interface LeverFigures {
  readonly peakBytes: number;
  /** Absent for the stack alone. */
  readonly phase: StepPhaseName | undefined;
  /** Of the simulated step: at most two of its micro-batches. */
  readonly step: Expected;
  /** Of the whole optimizer step with all its micro-batches. */
  readonly fullMs: number;
  /** Tokens of an optimizer step over all ranks. */
  readonly tokens: number;
  readonly ranks: number;
}

/** Reads the answer to a question: the last run is the block's own, as the engine may run a baseline before it. */
export function leverFigures(question: LeverQuestion, result: ProfileResult): Outcome<LeverFigures> {
  const { request, scope } = question;
  const wanted = request.strategies?.at(-1);
  const run = result.runs.find(({ strategy }) => strategy === wanted);
  if (run === undefined) return fail(protocolProblem("Its result lacks a run that was asked for."));
  const microBatches = request.accumulation ?? 1;
  const all = scope.accumulation ?? microBatches;
  const ranks = request.worldSize ?? 1;
  const [rows, length] = [request.microBatch ?? 1, request.seqLens?.[0] ?? 1];
  const tailMs = tailOf(run);
  const { median, range } = run.stepMs;
  return succeed({
    peakBytes: run.peakBytes,
    phase: run.peak?.phase,
    step: { value: median, range },
    fullMs: ((median - tailMs) / microBatches) * all + tailMs,
    tokens: (all * rows * length * ranks) / (request.sequenceParallel ?? 1),
    ranks,
  });
}

/** Once per optimizer step, whatever the number of micro-batches. */
function tailOf({ phases = [] }: ProfileRun): number {
  return phases.filter(({ phase }) => phase === "clip" || phase === "optimizer").reduce((sum, { ms }) => sum + ms, 0);
}
