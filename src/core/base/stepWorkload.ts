import { counted, grouped } from "./quantities.js";

/** Who said a figure of a workload: a flag or setting, the configuration that is trained with, or nobody. */
export type WorkloadSource = "setting" | "config" | "default";

export interface Sourced<T> {
  readonly value: T;
  readonly source: WorkloadSource;
}

/**
 * What runs through the model in one step on one device. Lens, hints, Modules view, What If and profiles of one file all take
 * this value, so that their figures speak of the same step.
 */
export interface StepWorkload {
  /** Tokens per sequence. */
  readonly seqLen: Sourced<number>;
  /** Sequences per micro-batch. */
  readonly microBatch: Sourced<number>;
  /** Only the first layers of the model; `undefined`: all. */
  readonly layers: Sourced<number | undefined>;
}

/** Settings as they are written; what is no whole number of at least 1 counts as absent. */
export interface GivenWorkload {
  readonly seqLen?: unknown;
  readonly microBatch?: unknown;
  readonly layers?: unknown;
}

/** Tokens per sequence that nobody named; the engine's own default on GPUs and simulated devices. */
export const DEFAULT_SEQ_LEN = 2048;
export const DEFAULT_MICRO_BATCH = 1;

/** Settings win over the configuration, which wins over the defaults. */
export function stepWorkload(
  given: GivenWorkload,
  config?: { readonly seqLen?: number | undefined; readonly microBatch?: number | undefined },
): StepWorkload {
  return {
    seqLen: firstOf(countOf(given.seqLen), countOf(config?.seqLen), DEFAULT_SEQ_LEN),
    microBatch: firstOf(countOf(given.microBatch), countOf(config?.microBatch), DEFAULT_MICRO_BATCH),
    layers: firstOf<number | undefined>(countOf(given.layers), undefined, undefined),
  };
}

function firstOf<T>(setting: T | undefined, config: T | undefined, byDefault: T): Sourced<T> {
  if (setting !== undefined) return { value: setting, source: "setting" };
  return config === undefined ? { value: byDefault, source: "default" } : { value: config, source: "config" };
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
}

/** `2,048 tokens × 2 sequences`, and `, first 4 layers` where not all run. */
export function workloadText(workload: {
  readonly seqLen: number;
  readonly microBatch: number;
  readonly layers?: number | undefined;
}): string {
  const { seqLen, microBatch, layers } = workload;
  const part = layers === undefined ? "" : layers === 1 ? ", first layer only" : `, first ${grouped(layers)} layers`;
  return `${counted(seqLen, "token")} × ${counted(microBatch, "sequence")}${part}`;
}
