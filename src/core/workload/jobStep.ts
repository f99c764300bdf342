import type { Problem } from "../base/outcome.js";
import { counted, grouped } from "../base/quantities.js";
import {
  type GivenWorkload,
  type Sourced,
  type StepWorkload,
  stepWorkload,
  workloadText,
} from "../base/stepWorkload.js";
import type { FieldOrigin, JobWorkload, WorkloadField } from "../config/document/jobWorkload.js";
import { likelyOf } from "../config/document/jobWorkload.js";

/** What a block says about its job; the reader of configs gives at least these members. */
export interface JobBlock {
  readonly microBatch?: number | undefined;
  readonly workload?: JobWorkload | undefined;
}

/** Settings as they are written; what is no whole number of at least 1 counts as absent. */
export interface GivenStep extends GivenWorkload {
  readonly ranks?: unknown;
}

/**
 * A step of the job that a block describes: the one value that lens, hints, Modules view, What If, profiles and sweeps of the block
 * take. Settings override the configuration and fill its gaps.
 */
export interface JobStep extends StepWorkload {
  /** Tokens of a row are `seqLen` over all ranks that share it; rows are `microBatch`. */
  readonly job: JobWorkload | undefined;
  readonly ranks: WorkloadField<number>;
  readonly sequenceParallel: number;
  readonly isPacked: boolean;
  /** What the file has wrong; its figures are no figures. */
  readonly problem: Problem | undefined;
  /** Why a choice may not be written: a figure that decides is known to nobody. */
  readonly unsure: string | undefined;
}

/** The step of a block; without one, of the settings alone. */
export function jobStep(given: GivenStep, block: JobBlock | undefined): JobStep {
  const job = block?.workload;
  const tokens = job === undefined ? undefined : likelyOf(job.tokensPerRow);
  const rows = job === undefined ? undefined : likelyOf(job.rows);
  const isKnown = tokens !== undefined && rows !== undefined;
  const step = stepWorkload(given, isKnown ? { seqLen: tokens, microBatch: rows } : { microBatch: block?.microBatch });
  const ranks = ranksOf(given, job);
  const isWholeRow = step.seqLen.source === "config";
  return {
    ...step,
    job,
    ranks,
    sequenceParallel: (job === undefined ? undefined : likelyOf(job.sequenceParallel)) ?? 1,
    isPacked: isWholeRow && job?.isPacked === true,
    problem: job?.problems[0],
    unsure: unsureOf(step, job, ranks),
  };
}

function ranksOf({ ranks }: GivenStep, job: JobWorkload | undefined): WorkloadField<number> {
  if (typeof ranks === "number" && Number.isSafeInteger(ranks) && ranks >= 1) {
    return { kind: "value", value: ranks, from: [{ kind: "assumption", what: "given" }] };
  }
  return job?.ranks ?? { kind: "unknown", why: "no configuration says the number of ranks" };
}

function unsureOf({ seqLen }: StepWorkload, job: JobWorkload | undefined, ranks: WorkloadField<number>) {
  if (seqLen.source === "default") {
    return job?.tokensPerRow.kind === "unknown" ? job.tokensPerRow.why : "no configuration says the tokens of a step";
  }
  return ranks.kind === "unknown" ? ranks.why : undefined;
}

/** `16,384 tokens in one packed row`, `1,024 tokens × 8 sequences`, with `about` or `up to` where only a bound is known. */
export function stepText(step: JobStep): string {
  const { seqLen, microBatch, layers, job } = step;
  const plain = workloadText({ seqLen: seqLen.value, microBatch: microBatch.value, layers: layers.value });
  const bound = seqLen.source === "config" && job !== undefined ? boundOf(job.tokensPerRow) : "";
  if (!step.isPacked || microBatch.value !== 1) return bound + plain;
  const part = layers.value === undefined ? "" : plain.slice(plain.indexOf(",", plain.indexOf("sequence")));
  return `${bound}${counted(seqLen.value, "token")} in one packed row${part}`;
}

/** What one GPU has of it: rows are shared by the ranks of Ulysses. */
export function shareOfGpu({ seqLen, microBatch, sequenceParallel }: JobStep): {
  readonly seqLen: number;
  readonly microBatch: number;
} {
  return { seqLen: Math.ceil(seqLen.value / sequenceParallel), microBatch: microBatch.value };
}

/** Tokens of the longest sequence in a packed row; undefined where rows are sequences. */
export function packedTokens({ isPacked, seqLen, job }: JobStep): number | undefined {
  if (!isPacked) return undefined;
  return Math.min(seqLen.value, (job === undefined ? undefined : likelyOf(job.longest)) ?? seqLen.value);
}

/** `8 ranks, 2 of them share a row`, or that nobody says it. */
export function ranksText({ ranks, sequenceParallel }: JobStep): string {
  const value = likelyOf(ranks);
  if (value === undefined) return sequenceParallel > 1 ? `${grouped(sequenceParallel)} ranks share a row` : "one GPU";
  const shared = sequenceParallel > 1 ? `, ${grouped(sequenceParallel)} of them share a row` : "";
  return value === 1 ? "one GPU" : `${counted(value, "rank")}${shared}`;
}

/** Where the figures come from, a sentence each. */
export function stepSources(step: JobStep): readonly string[] {
  const { seqLen, microBatch, layers, job, ranks } = step;
  return [
    `Tokens ${sourceOf(seqLen, job?.tokensPerRow)}.`,
    ...(step.isPacked && microBatch.source === "config" ? [] : [`Sequences ${sourceOf(microBatch, job?.rows)}.`]),
    ...packedSources(step),
    ...(layers.value === undefined ? [] : ["Layers from the settings."]),
    ranks.kind === "unknown" ? `Ranks not known: ${ranks.why}.` : `Ranks ${originsText(ranks.from)}.`,
  ];
}

/** What attention sees of a packed row; how long its sequences really are, only the data says. */
function packedSources(step: JobStep): readonly string[] {
  const tokens = packedTokens(step);
  if (tokens === undefined || step.job === undefined) return [];
  const { longest } = step.job;
  const origin = longest.kind === "unknown" ? "" : `, ${originsText(longest.from)}`;
  return [`Attention within sequences of ${grouped(tokens)} tokens${origin}; with shorter ones the step takes less.`];
}

/** What is simulated and where it comes from: `16,384 tokens in one packed row, 8 ranks. Tokens from … Ranks from …`. */
export function stepSentences(step: JobStep): string {
  return `${stepText(step)}, ${ranksText(step)}. ${stepSources(step).join(" ")}`;
}

function sourceOf({ source }: Sourced<unknown>, field: WorkloadField<number> | undefined): string {
  if (source === "setting") return "from the settings";
  if (source === "config")
    return field === undefined || field.kind === "unknown" ? "from the config" : originsText(field.from);
  return field?.kind === "unknown" ? `assumed (${field.why})` : "by default";
}

/** `from actor.ppo_max_token_len_per_gpu (line 12) and verl's default of trainer.nnodes`. */
export function originsText(origins: readonly FieldOrigin[]): string {
  const texts = [...new Set(origins.map(originText))];
  if (texts.length === 0) return "from the config";
  const last = texts.pop() ?? "";
  return `from ${texts.length === 0 ? last : `${texts.join(", ")} and ${last}`}`;
}

function originText(origin: FieldOrigin): string {
  switch (origin.kind) {
    case "key":
      return `${shortKey(origin.key)} (line ${origin.line})`;
    case "default":
      return `${origin.framework}'s default of ${shortKey(origin.key)}`;
    case "launcher":
      return origin.what;
    case "assumption":
      return origin.what === "given" ? "the settings" : `an assumption: ${origin.what}`;
  }
}

/** Nearly every key of verl begins alike. */
function shortKey(key: string): string {
  return key.replace(/^actor_rollout_ref\./, "");
}

/** The budget of a dynamic batch bounds the mean only. */
function boundOf(field: WorkloadField<number>): string {
  if (field.kind !== "range") return "";
  return field.most === undefined ? "about " : "up to ";
}
