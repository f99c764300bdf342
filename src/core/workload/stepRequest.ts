import { given } from "../base/flags.js";
import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { likelyOf } from "../config/document/jobWorkload.js";
import { MOST_TOKENS, RANGES } from "../profile/engineFlags.js";
import type { ProfileRequest } from "../profile/request.js";
import type { WholeStep } from "../profile/wholeStep.js";
import { type JobStep, packedTokens } from "./jobStep.js";

/** The members of a request that the workload decides. */
export type StepMembers = Pick<
  ProfileRequest,
  "seqLens" | "microBatch" | "packedTokens" | "layers" | "worldSize" | "sequenceParallel"
> &
  WholeStep;

/** What the engine is asked for, and what of the job it is not. */
export interface StepRequest {
  readonly members: StepMembers;
  /** Absent: head, optimizer and ranks are in the figures; else why they are the decoder stack's alone. */
  readonly stackOnly?: string;
  /** Of so many micro-batches of a step the first and the last are run. */
  readonly accumulation?: number;
}

/**
 * The peak of a step is that of its first micro-batch, of one between, or of the last, and those between are like the last as far as
 * memory goes: two show it. More would make an edit wait.
 */
export const MOST_MICRO_BATCHES = 2;

/**
 * The one mapping of a workload to what the engine takes. Fails with the file's own problem, and with `WORKLOAD_TOO_LARGE` for a step
 * beyond the engine's ranges. Real devices run the stack of one rank.
 */
export function stepRequest(step: JobStep, device: string): Outcome<StepRequest> {
  if (step.problem !== undefined) return fail(step.problem);
  const isSimulated = device.startsWith("sim:");
  const { sequenceParallel } = step;
  // Both frameworks pad a row until the ranks that share it have equal parts.
  const perRank = Math.ceil(step.seqLen.value / sequenceParallel);
  const seqLen = isSimulated ? perRank * sequenceParallel : perRank;
  const microBatch = step.microBatch.value;
  const ranks = likelyOf(step.ranks) ?? sequenceParallel;
  const refused = rangeProblem(seqLen, microBatch, ranks);
  if (refused !== undefined) return fail(refused);
  if (isSimulated && ranks % sequenceParallel !== 0) return fail(notDivisible(ranks, sequenceParallel));
  const layers = step.layers.value;
  const stackOnly = isSimulated ? missingOf(step) : "real devices run the stack of one rank";
  return succeed({
    members: {
      seqLens: [seqLen],
      microBatch,
      ...given("packedTokens", isSimulated ? packedTokens(step) : undefined),
      ...(layers === undefined ? {} : { layers }),
      ...(isSimulated && ranks > 1 ? { worldSize: ranks } : {}),
      ...(isSimulated && sequenceParallel > 1 ? { sequenceParallel } : {}),
      ...(stackOnly === undefined ? wholeStep(step) : {}),
    },
    ...(stackOnly === undefined ? {} : { stackOnly }),
    ...accumulationOf(step, stackOnly),
  });
}

/** Why the whole step cannot be said: the first field that nobody knows. */
function missingOf({ job, ranks }: JobStep): string | undefined {
  if (job === undefined) return "no configuration describes the rest of the step";
  const fields = [job.head, ranks, job.entropy, job.accumulation, job.master, job.shard];
  const missing = [...fields, ...(job.pass === "train" ? [job.optimizer] : [])].find(({ kind }) => kind === "unknown");
  return missing?.kind === "unknown" ? missing.why : undefined;
}

/** A line for each member of the engine's request; a field that is not known is left to the engine's default. */
function wholeStep({ job }: JobStep): WholeStep {
  if (job === undefined) return {};
  const isTraining = job.pass === "train";
  const accumulation = likelyOf(job.accumulation);
  const entropy = likelyOf(job.entropy);
  return {
    ...given("head", likelyOf(job.head)),
    ...given("entropy", entropy === "none" ? undefined : entropy),
    ...given("entropyChunk", entropy === "chunked" ? likelyOf(job.entropyChunk) : undefined),
    ...given("autocast", likelyOf(job.autocast)),
    ...given("master", likelyOf(job.master)),
    ...given("shard", likelyOf(job.shard)),
    ...(job.pass === "logprob" ? { pass: job.pass } : {}),
    ...given("optimizer", isTraining ? likelyOf(job.optimizer) : undefined),
    ...given("clip", isTraining ? likelyOf(job.clip) : undefined),
    ...given("reduce", isTraining ? likelyOf(job.reduce) : undefined),
    ...given(
      "accumulation",
      isTraining && accumulation !== undefined ? Math.min(accumulation, MOST_MICRO_BATCHES) : undefined,
    ),
  };
}

function accumulationOf({ job }: JobStep, stackOnly: string | undefined): Pick<StepRequest, "accumulation"> {
  const all = job === undefined || stackOnly !== undefined ? undefined : likelyOf(job.accumulation);
  return all === undefined || all <= MOST_MICRO_BATCHES ? {} : { accumulation: all };
}

function rangeProblem(seqLen: number, microBatch: number, ranks: number): Problem | undefined {
  const isWithin =
    seqLen <= RANGES.seq.most &&
    microBatch <= RANGES.microBatch.most &&
    seqLen * microBatch <= MOST_TOKENS &&
    ranks <= RANGES.worldSize.most;
  if (isWithin) return undefined;
  return {
    code: "WORKLOAD_TOO_LARGE",
    message: `A step of ${seqLen} tokens × ${microBatch} on ${ranks} ranks is not run.`,
    cause: `The engine takes at most ${RANGES.seq.most} tokens a row, ${RANGES.microBatch.most} rows, ${MOST_TOKENS} tokens in all and ${RANGES.worldSize.most} ranks.`,
    nextStep: "Check the lengths, batch sizes and ranks of the configuration, or give smaller ones in the settings.",
  };
}

function notDivisible(ranks: number, sequenceParallel: number): Problem {
  return {
    code: "WORKLOAD_NOT_DIVISIBLE",
    message: `${ranks} ranks are no multiple of the ${sequenceParallel} that share a row.`,
    nextStep: "Choose a number of ranks that the sequence-parallel size divides.",
  };
}
