import { DEFAULT_MICRO_BATCH, DEFAULT_SEQ_LEN } from "../../base/stepWorkload.js";

/** What runs through the model in one step on one device. */
export interface EstimateWorkload {
  /** Tokens per sequence. */
  readonly seqLen: number;
  /** Sequences per micro-batch. */
  readonly microBatch: number;
  /** Only the first layers run; absent: all. */
  readonly layers?: number | undefined;
  readonly gradientCheckpointing: boolean;
  /** `activation_offload_host_cache_limit_gb`, in units of 2^30 bytes. */
  readonly cacheLimitGb: number;
  /** The same in words, where more is known than the numbers. */
  readonly text?: string;
  /** 2 for bf16. */
  readonly bytesPerElement: number;
}

/** Without other information: what verl's and VeOmni's defaults amount to. */
export const defaultWorkload: EstimateWorkload = {
  seqLen: DEFAULT_SEQ_LEN,
  microBatch: DEFAULT_MICRO_BATCH,
  gradientCheckpointing: true,
  cacheLimitGb: 4,
  bytesPerElement: 2,
};
