import { type Outcome, succeed } from "../base/outcome.js";
import type { JobWorkload } from "../config/document/jobWorkload.js";
import type { ProfileSettings } from "../profile/profileArguments.js";
import type { WholeStep } from "../profile/wholeStep.js";
import { type JobBlock, type JobStep, jobStep, ranksText, stepSources, stepText } from "./jobStep.js";
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
  const left: { -readonly [K in keyof StepMembers]: StepMembers[K] } = { ...members };
  if (given.head !== undefined && given.head !== members.head) drop(left, ["entropy", "entropyChunk", "autocast"]);
  if (given.optimizerBytes !== undefined) drop(left, wholeStepMembers);
  if (given.pass === "logprob") drop(left, ["optimizer", "clip", "reduce", "accumulation"]);
  return left;
}

function drop(
  members: { -readonly [K in keyof StepMembers]?: StepMembers[K] },
  names: readonly (keyof WholeStep)[],
): void {
  for (const name of names) delete members[name];
}

const wholeStepMembers: readonly (keyof WholeStep)[] = [
  "head",
  "entropy",
  "entropyChunk",
  "autocast",
  "optimizer",
  "master",
  "shard",
  "reduce",
  "accumulation",
  "clip",
  "pass",
];

function notesOn(step: JobStep, stackOnly: string | undefined, accumulation: number | undefined): readonly string[] {
  if (step.job === undefined) return [];
  return [
    `${stepText(step)}, ${ranksText(step)}. ${stepSources(step).join(" ")}`,
    scopeText(step, stackOnly, accumulation),
  ];
}

/** What of the step is in the figures. */
export function scopeText({ job }: JobStep, stackOnly: string | undefined, accumulation: number | undefined): string {
  if (stackOnly !== undefined) return `Stack only: ${stackOnly}.`;
  const cut = accumulation === undefined ? "" : `, 2 of about ${accumulation.toLocaleString("en-US")} micro-batches`;
  const head = job === undefined ? "" : headText(job.head);
  const more =
    job?.makesLogitsToo === true ? " The model makes the full logits as well, which are not in the figures." : "";
  const what =
    job?.pass === "logprob" ? `Forward only, with the head ${head}` : `Whole step: head ${head}, optimizer${cut}`;
  return `${what}.${more}`;
}

/** The head, and what no file says about it: `verl_flash (flash-attn is installed, as verl pins it: assumed)`. */
function headText(head: JobWorkload["head"]): string {
  if (head.kind !== "value") return "";
  const assumed = head.from.flatMap((origin) => (origin.kind === "assumption" ? [origin.what] : []));
  return assumed.length === 0 ? head.value : `${head.value} (${assumed.join(", ")}: assumed)`;
}
