import type { MemoryPart } from "../base/memoryParts.js";
import type { StrategyName } from "./strategies.js";

/**
 * The profile result, schema `offload-profile/1`: what `offload-lens profile --json` and `offload-lens-engine` print, and
 * what the header of a saved profile carries. Bytes are counts of live tensor bytes as a framework's allocator would report
 * them; times are milliseconds (`Ms`) or nanoseconds (`Ns`).
 */
export interface ProfileResult {
  readonly schema: "offload-profile/1";
  readonly device: ProfileDevice;
  readonly model: ProfileModel;
  readonly workload: {
    readonly seqLens: readonly number[];
    readonly microBatch: number;
    readonly steps: number;
    readonly warmup: number;
    readonly seed: number;
    /** A row holds sequences of at most so many tokens; absent: a row is one sequence. */
    readonly packedTokens?: number;
    /** Of a whole step, as are the next ones. */
    readonly head?: string;
    readonly entropy?: string;
    readonly optimizer?: string;
    readonly master?: "bf16" | "fp32";
    readonly accumulation?: number;
    readonly reduce?: "each" | "last";
    readonly pass?: "train" | "logprob";
    /** Of several ranks, as is the next one. */
    readonly worldSize?: number;
    readonly sequenceParallel?: number;
  };
  readonly runs: readonly ProfileRun[];
  /** Sentences for the user: approximations made, pageable fallback, anything that a number alone would hide. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** `d2hGBps` and `h2dGBps` are 10^9 bytes per second as seen by the run's own copies, null when it made none. */
export interface ProfileDevice {
  readonly kind: "cuda" | "cpu" | "sim";
  readonly name: string;
  readonly driver: string | null;
  readonly d2hGBps: number | null;
  readonly h2dGBps: number | null;
  /** Which code computed the matrix products, e.g. `built-in (avx2)`, `cuBLAS 13.1.0` or `own`. */
  readonly matmul: string;
  /** Memory node that a GPU hangs on, where the system names one. */
  readonly numaNode?: number;
  /** Of a simulated device: where its figures come from, and the memory of the real one. */
  readonly source?: string;
  readonly memoryBytes?: number;
}

/** Dimensions as read from config.json; `opModel` names the saved-tensor set, e.g. `hf-eager` or `fused`. */
export interface ProfileModel {
  readonly modelType: string;
  readonly architecture: string;
  readonly hiddenSize: number;
  /** Tensors of the hidden size in a layer's input, where there is more than one. */
  readonly residualStreams?: number;
  readonly intermediateSize: number;
  readonly layers: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headDim: number;
  readonly vocabSize: number;
  readonly qkNorm: boolean;
  readonly attentionBias: boolean;
  readonly tiedEmbeddings: boolean;
  readonly bytesPerElement: number;
  readonly opModel: string;
}

/** Counters of the bounded layout-LRU pool (`facts`: acquire, release) over all steps. */
export interface PoolCounters {
  readonly allocations: number;
  readonly reuses: number;
  readonly evictions: number;
  readonly drops: number;
}

/** Copies of one direction in the measured step. busy = union of intervals, hidden = part under compute, exposed = rest. */
export interface CopyTotals {
  readonly count: number;
  readonly bytes: number;
  readonly busyNs: number;
  readonly hiddenNs: number;
  readonly exposedNs: number;
}

/** Copies of what one layer saved, and how long host and compute stream stood still for them, wherever in the step. */
export interface LayerCopies {
  readonly layer: number;
  readonly d2h: CopyTotals;
  readonly h2d: CopyTotals;
  readonly hostStallNs: number;
  readonly streamStallNs: number;
}

/** What a step's peak is made of; live bytes of one kind, in how many tensors. */
export interface PeakPart {
  readonly what: MemoryPart;
  readonly bytes: number;
  readonly count: number;
}

export const STEP_PHASES = [
  "stackForward",
  "headForward",
  "headBackward",
  "stackBackward",
  "clip",
  "optimizer",
] as const;

export type StepPhaseName = (typeof STEP_PHASES)[number];

/** One part of a whole step: its highest point, and what is live at its end. */
export interface StepPhase {
  readonly phase: StepPhaseName;
  /** From 0. */
  readonly microBatch: number;
  /** Of the compute stream, from the end of the phase before. */
  readonly ms: number;
  readonly peakBytes: number;
  readonly endBytes: number;
}

export interface ProfileRun {
  readonly strategy: StrategyName;
  readonly gradientCheckpointing: boolean;
  /** null for strategies that select nothing. */
  readonly patterns: readonly string[] | null;
  readonly cacheLimitBytes: number | null;
  /** Which saved tensors count as the same: the full layout, or verl's own key. Of `verl_double_buffer` only. */
  readonly doubleBufferKey?: "layout" | "original";
  /** All steps of this run, warm-up included; `workload.steps` is the least. */
  readonly steps?: number;
  /**
   * Measured steps only, warm-up left out. `stable`: the last two samples moved the median by at most 0.5 %. `range`: between
   * which times a real step is expected, of simulated ones.
   */
  readonly stepMs: {
    readonly median: number;
    readonly samples: readonly number[];
    readonly stable?: boolean;
    readonly range?: readonly [number, number];
  };
  readonly staticBytes: number;
  readonly afterForwardBytes: number;
  readonly peakBytes: number;
  /** Of a whole step: its phases in order. */
  readonly phases?: readonly StepPhase[];
  /** Of a whole step: where its peak lies, and parts that add up to `peakBytes`. */
  readonly peak?: { readonly phase: StepPhaseName; readonly microBatch: number; readonly parts: readonly PeakPart[] };
  /** Of a whole step: peak of the very first one, in which the optimizer's states are made. */
  readonly firstStepPeakBytes?: number;
  readonly pinnedPeakBytes: number;
  /** Memory that our kernels use beyond what a framework would; not part of the other figures. */
  readonly scratchBytes: number;
  readonly pool: PoolCounters | null;
  /** The pinned allocator below the pool: driver allocations and bytes held at the end, over all steps. */
  readonly hostAllocator: { readonly allocations: number; readonly bytesHeld: number } | null;
  /** Time that the host waited inside pack and unpack, measured step. */
  readonly hostStallMs: number;
  /** Time that the compute stream waited for copies, measured step. */
  readonly streamStallMs: number;
  readonly gradients: { readonly checksum: string; readonly equalToBaseline: boolean | null; readonly reason?: string };
  readonly copies: { readonly d2h: CopyTotals; readonly h2d: CopyTotals };
  /** The same by layer, for those with copies or waits; layer -1 stands for what belongs to none. */
  readonly layers?: readonly LayerCopies[];
  /** Of a simulated run: which figures are exact. Every time lies within `timeShare` of itself, as far as is known. */
  readonly exactness?: {
    readonly bytes: "exact" | "estimated";
    readonly counters: "exact" | "estimated";
    readonly times: "estimated";
    readonly timeShare: number;
  };
  /** Keys of the configuration that would lower the peak, each simulated alone, best first; only where they were asked for. */
  readonly levers?: readonly {
    readonly key: string;
    readonly value: boolean | number | string | readonly string[];
    readonly title: string;
    readonly peakBytesAfter: number;
    readonly stepMsAfter: number;
  }[];
  /** Of a simulated run: whether the real device has memory for its peak. */
  readonly fitsDevice?: boolean;
}
