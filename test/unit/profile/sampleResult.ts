import type { CopyTotals, ProfileResult, ProfileRun } from "../../../src/core/profile/result.js";

const noCopies: CopyTotals = { count: 0, bytes: 0, busyNs: 0, hiddenNs: 0, exposedNs: 0 };

/** A run with round figures; tests replace what they look at. */
export function sampleRun(change: Partial<ProfileRun> = {}): ProfileRun {
  return {
    strategy: "none",
    gradientCheckpointing: true,
    patterns: null,
    cacheLimitBytes: null,
    stepMs: { median: 20, samples: [19, 20, 21] },
    staticBytes: 1_048_576,
    afterForwardBytes: 3_145_728,
    peakBytes: 8_388_608,
    pinnedPeakBytes: 0,
    scratchBytes: 0,
    pool: null,
    hostAllocator: null,
    hostStallMs: 0,
    streamStallMs: 0,
    gradients: { checksum: "00000000deadbeef", equalToBaseline: null },
    copies: { d2h: noCopies, h2d: noCopies },
    ...change,
  };
}

export const sampleOffloadRun: ProfileRun = sampleRun({
  strategy: "veomni_async",
  patterns: ["model.layers.{*}"],
  cacheLimitBytes: 4 * 2 ** 30,
  steps: 3,
  stepMs: { median: 22, samples: [22], stable: false },
  afterForwardBytes: 2_097_152,
  pinnedPeakBytes: 196_608,
  pool: { allocations: 3, reuses: 6, evictions: 0, drops: 0 },
  hostAllocator: { allocations: 3, bytesHeld: 196_608 },
  gradients: { checksum: "00000000deadbeef", equalToBaseline: true },
  copies: {
    d2h: { count: 3, bytes: 196_608, busyNs: 120_000, hiddenNs: 90_000, exposedNs: 30_000 },
    h2d: { count: 3, bytes: 196_608, busyNs: 100_000, hiddenNs: 100_000, exposedNs: 0 },
  },
  layers: [
    {
      layer: 0,
      d2h: { count: 3, bytes: 196_608, busyNs: 120_000, hiddenNs: 90_000, exposedNs: 30_000 },
      h2d: { count: 3, bytes: 196_608, busyNs: 100_000, hiddenNs: 100_000, exposedNs: 0 },
      hostStallNs: 0,
      streamStallNs: 2_000,
    },
  ],
});

/** A whole result around `runs`. */
export function sampleResult(runs: readonly ProfileRun[], change: Partial<ProfileResult> = {}): ProfileResult {
  return {
    schema: "offload-profile/1",
    device: { kind: "cpu", name: "Test CPU", driver: null, d2hGBps: 1.6, h2dGBps: 1.9, matmul: "built-in" },
    model: {
      modelType: "qwen3",
      architecture: "Qwen3ForCausalLM",
      hiddenSize: 64,
      intermediateSize: 96,
      layers: 4,
      heads: 4,
      keyValueHeads: 2,
      headDim: 16,
      vocabSize: 128,
      qkNorm: true,
      attentionBias: false,
      tiedEmbeddings: false,
      bytesPerElement: 2,
      opModel: "hf-eager",
    },
    workload: { seqLens: [256], microBatch: 2, steps: 3, warmup: 1, seed: 0 },
    runs,
    warnings: [],
    ...change,
  };
}
