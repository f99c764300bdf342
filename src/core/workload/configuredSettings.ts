import { given as present } from "../base/flags.js";
import { type Outcome, succeed } from "../base/outcome.js";
import type { ProfileSettings } from "../profile/profileArguments.js";
import type { WholeStep } from "../profile/wholeStep.js";
import { type JobBlock, type JobStep, jobStep, stepSentences } from "./jobStep.js";
import { scopeText } from "./scopeText.js";
import { type StepMembers, type StepRequest, stepRequest } from "./stepRequest.js";

/** Settings of a run with the job's part filled in. */
export interface ConfiguredSettings<Given> {
  readonly settings: Given & StepMembers;
  readonly step: JobStep;
  readonly scope: Pick<StepRequest, "stackOnly" | "accumulation">;
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
  const isSmall = device === "cpu" && given.seqLens === undefined;
  const { seqLens, microBatch, ...others } = fitting(request.value.members, given);
  const filled = {
    ...(isSmall || asked.seqLen.source === "default" ? {} : { seqLens }),
    ...(isSmall || asked.microBatch.source === "default" ? {} : { microBatch }),
    ...others,
  };
  const settings = { ...filled, ...given } as Given & StepMembers;
  const { members: _asIs, ...scope } = ran(request.value, settings);
  const notes =
    asked.job === undefined || isSmall ? [] : [stepSentences(asked), scopeText(asked, { members: settings, ...scope })];
  return succeed({ settings, step: asked, scope, notes });
}

/** What runs of the job when flags and settings have had their say. */
function ran(asked: StepRequest, settings: Partial<ProfileSettings> & StepMembers): StepRequest {
  const { stackOnly, accumulation } = asked;
  const isCut = accumulation !== undefined && settings.accumulation === asked.members.accumulation;
  const cut = isCut ? { accumulation } : {};
  if (settings.optimizerBytes !== undefined) {
    return { members: settings, stackOnly: "the optimizer's states are counted by their bytes per parameter" };
  }
  // A head or an optimizer that was asked for runs, whatever the configuration leaves open.
  const isStack = stackOnly !== undefined && settings.head === undefined && settings.optimizer === undefined;
  return { members: settings, ...cut, ...(isStack ? { stackOnly } : {}) };
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

function stackOf({ seqLens, microBatch, packedTokens, layers, worldSize, sequenceParallel }: StepMembers): StepMembers {
  return {
    ...present("packedTokens", packedTokens),
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
