import type { Problem } from "../../base/outcome.js";
import type { TextSpan } from "./diagnostic.js";

/** Who says a field of a workload. */
export type FieldOrigin =
  /** A key of the file, dotted as its layout has it, where its value stands; `line` is 1-based. */
  | { readonly kind: "key"; readonly key: string; readonly span: TextSpan; readonly line: number }
  /** What the framework takes where the key is not written. */
  | { readonly kind: "default"; readonly key: string; readonly framework: "verl" | "VeOmni" }
  /** The command that starts the job, e.g. `torchrun --nproc_per_node`. */
  | { readonly kind: "launcher"; readonly what: string }
  /** What no configuration can say, in words. */
  | { readonly kind: "assumption"; readonly what: string };

/**
 * A field of a workload. `value`: known. `range`: only its ends are known, both inclusive; `likely` is the end, or the value between,
 * that figures are computed with. `unknown`: nobody says it, with the reason.
 */
export type WorkloadField<T> =
  | { readonly kind: "value"; readonly value: T; readonly from: readonly FieldOrigin[] }
  | RangeField<T>
  | { readonly kind: "unknown"; readonly why: string };

export interface RangeField<T> {
  readonly kind: "range";
  readonly least: T;
  /** Absent: no end is known. */
  readonly most?: T;
  readonly likely: T;
  readonly from: readonly FieldOrigin[];
}

/** How the loss uses the entropy, in the engine's words. */
export type EntropyForm = "none" | "eager" | "chunked" | "checkpointed" | "compiled";

/** A wrong value of the file: figures that it decides are unknown. `span` is the value's place. */
export interface WorkloadProblem extends Problem {
  readonly span: TextSpan;
}

/**
 * The training job that a configuration describes, as far as it moves memory and time of a step. Read by the dialect's reader from
 * the file alone; settings come later (`stepWorkload`).
 */
export interface JobWorkload {
  readonly framework: "verl" | "VeOmni";
  /** Tokens per row of a micro-batch, over all ranks that share the row. */
  readonly tokensPerRow: WorkloadField<number>;
  /** Rows of a micro-batch: 1 where sequences are packed. */
  readonly rows: WorkloadField<number>;
  /** Whether rows hold several sequences end to end. */
  readonly isPacked: boolean;
  /** Tokens of the longest sequence that the job allows. */
  readonly longest: WorkloadField<number>;
  /** Micro-batches per optimizer step. */
  readonly accumulation: WorkloadField<number>;
  /** Ranks of the whole job that train this model. */
  readonly ranks: WorkloadField<number>;
  /** Of them, ranks that share each row (Ulysses). */
  readonly sequenceParallel: WorkloadField<number>;
  readonly shard: WorkloadField<"none" | "fsdp2">;
  /** Type of the stored parameters. */
  readonly master: WorkloadField<"bf16" | "fp32">;
  readonly optimizer: WorkloadField<"adamw_fused" | "adamw_foreach" | "adamw_loop">;
  /** In the engine's words, e.g. `verl_flash`. */
  readonly head: WorkloadField<string>;
  readonly entropy: WorkloadField<EntropyForm>;
  readonly entropyChunk: WorkloadField<number>;
  readonly autocast: WorkloadField<boolean>;
  /** After which micro-batches gradients are reduced. */
  readonly reduce: WorkloadField<"each" | "last">;
  readonly gradientCheckpointing: WorkloadField<boolean>;
  readonly clip: WorkloadField<boolean>;
  readonly pass: "train" | "logprob";
  /** In text order of their discovery; empty for a file that is right. */
  readonly problems: readonly WorkloadProblem[];
}

/** What figures are computed with; `undefined` where nobody knows. */
export function likelyOf<T>(field: WorkloadField<T>): T | undefined {
  if (field.kind === "unknown") return undefined;
  return field.kind === "value" ? field.value : field.likely;
}
