import { given as present } from "../base/flags.js";
import { type Outcome, succeed } from "../base/outcome.js";
import type { ProfileSettings } from "../profile/profileArguments.js";
import type { WholeStep } from "../profile/wholeStep.js";
import { type JobBlock, type JobStep, jobStep, stepSentences } from "./jobStep.js";
import { scopeText } from "./scopeText.js";
import { type StepMembers, stepRequest } from "./stepRequest.js";

/** Settings of a run with the job's part filled in. */
export interface ConfiguredSettings<Given> {
  readonly settings: Given & StepMembers;
  readonly step: JobStep;
  /** What runs, and where it comes from. */
  readonly notes: readonly string[];
}

/**
 * Fills what flags and settings left open with the step of a block. What was given wins, and what it makes senseless is left out: an
 * entropy without its head, an optimizer in a pass forward. On the CPU the tokens of a job would take hours, so those stay the engine's.
 */
export function configuredSettings<Given extends Partial<ProfileSettings>>(
  given: Given,
  block: JobBlock,
  device: string,
): Outcome<ConfiguredSettings<Given>> {
  const step = jobStep(
    { seqLen: given.seqLens?.[0], microBatch: given.microBatch, layers: given.layers, ranks: given.worldSize },
    block,
  );
  const asked = given.sequenceParallel === undefined ? step : { ...step, sequenceParallel: given.sequenceParallel };
  const request = stepRequest(asked, device);
  if (!request.ok) return request;
  const { members, stackOnly, accumulation } = request.value;
  const isSmall = device === "cpu" && given.seqLens === undefined;
  const { seqLens, microBatch, ...others } = fitting(members, given);
  const filled = {
    ...(isSmall || asked.seqLen.source === "default" ? {} : { seqLens }),
    ...(isSmall || asked.microBatch.source === "default" ? {} : { microBatch }),
    ...others,
  };
  return succeed({
    settings: { ...filled, ...given } as Given & StepMembers,
    step: asked,
    notes: isSmall ? [] : notesOn(asked, stackOnly, accumulation),
  });
}

/** The members that what was given leaves meaningful. */
function fitting(members: StepMembers, given: Partial<ProfileSettings>): StepMembers {
  // States that are counted by hand stand for the optimizer: the rest of the step is left out with it.
  const left: Changing<StepMembers> = given.optimizerBytes === undefined ? { ...members } : stackOf(members);
  if (given.head !== undefined && given.head !== members.head) drop(left, ["entropy", "entropyChunk", "autocast"]);
  if (given.pass === "logprob") drop(left, ["optimizer", "clip", "reduce", "accumulation"]);
  return left;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

function stackOf({ seqLens, microBatch, layers, worldSize, sequenceParallel }: StepMembers): StepMembers {
  return {
    ...present("seqLens", seqLens),
    ...present("microBatch", microBatch),
    ...present("layers", layers),
    ...present("worldSize", worldSize),
    ...present("sequenceParallel", sequenceParallel),
  };
}

function drop(members: Changing<StepMembers>, names: readonly (keyof WholeStep)[]): void {
  for (const name of names) delete members[name];
}

function notesOn(step: JobStep, stackOnly: string | undefined, accumulation: number | undefined): readonly string[] {
  if (step.job === undefined) return [];
  return [stepSentences(step), scopeText(step, stackOnly, accumulation)];
}
