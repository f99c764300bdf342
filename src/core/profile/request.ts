import type { StrategyName } from "./strategies.js";
import type { WholeStep } from "./wholeStep.js";

/**
 * What the profiler process hands to the native engine, as JSON. The engine's executable builds the same object from its
 * flags. Absent members take the defaults of the headless interface; the engine validates everything again.
 */
export interface ProfileRequest extends WholeStep {
  /** Text of config.json, unparsed: the engine reads the dimensions itself. */
  readonly configJson: string;
  readonly device?: string;
  readonly strategies?: readonly StrategyName[];
  readonly gradientCheckpointing?: "on" | "off" | "both";
  readonly seqLens?: readonly number[];
  readonly microBatch?: number;
  /** A row holds sequences of at most so many tokens, and attention stays within them. Simulated devices only. */
  readonly packedTokens?: number;
  /** Uses only the first N layers of the model. */
  readonly layers?: number;
  readonly patterns?: readonly string[];
  readonly cacheLimitGb?: number;
  readonly steps?: number;
  readonly seed?: number;
  /** Which tensors norms and MLP save, e.g. `hf-eager` or `fused`; absent: that of the model's family. */
  readonly opModel?: string;
  /** What verl's double buffer takes for the same tensor: the full layout (default), or its own key. */
  readonly doubleBufferKey?: "layout" | "original";
  /** Overwrites free memory, so that a missing wait changes the gradients. Times then say nothing. */
  readonly poison?: boolean;
  /** Ranks that share parameters, gradients and optimizer state (FSDP2); more than one on simulated devices only. */
  readonly worldSize?: number;
  /** Of them, ranks that share every sequence; divides `worldSize`, the heads and the lengths. */
  readonly sequenceParallel?: number;
  /** Resident optimizer state in bytes per trained parameter, e.g. 8 for AdamW in fp32. Simulated devices only. */
  readonly optimizerBytes?: number;
  /** Path of the container to write (`*.offload`). */
  readonly outPath?: string;
}

/** Progress of a running profile, several times a second at most. */
export interface ProfileProgress {
  readonly phase: "prepare" | "run" | "save";
  /** 0 … 1 over the whole request. */
  readonly fraction: number;
  /** e.g. `veomni_async, checkpointing on, step 3 of 5`. */
  readonly message: string;
}
