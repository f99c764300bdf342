import type { TextSpan } from "./diagnostic.js";
import type { JobWorkload } from "./jobWorkload.js";

/** What one engine block says about activation offload. A member is absent when the file does not say it. */
export interface OffloadSettings {
  /** `actor_rollout_ref.actor.veomni`, `model.accelerator.offload_config`; `""` for a file that is the block. */
  readonly blockPath: string;
  /** The key and the mapping of the block. */
  readonly blockSpan: TextSpan;
  /** `enable_async_activation_offload`; `undefined` when absent, not a boolean, or known at run time only. */
  readonly enabled: boolean | undefined;
  /** A `string` when a text stands where the list should: the framework then iterates it by characters. */
  readonly patterns: readonly string[] | string | undefined;
  /** `activation_offload_modules` holds null, a number, a mapping or such entries: `patterns` is not what the framework gets. */
  readonly patternsNotTexts?: true;
  readonly modulesKeySpan?: TextSpan;
  readonly modulesValueSpan?: TextSpan;
  /** `activation_offload_host_cache_limit_gb` in units of 2^30 bytes; finite and not negative. */
  readonly cacheLimitGb?: number;
  readonly gradientCheckpointing?: boolean;
  /** Sequences per micro-batch on one GPU; a positive whole number. */
  readonly microBatch?: number;
  /** What runs in a step of the job that the block belongs to. */
  readonly workload?: JobWorkload;
  /** Model directory as written, interpolations resolved as far as the file can. */
  readonly modelPath?: string;
  readonly modelPathSpan?: TextSpan;
}
