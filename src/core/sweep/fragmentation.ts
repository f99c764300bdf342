/**
 * How much more memory PyTorch's allocator holds than tensors use: reserved over allocated bytes at the peak, of 36 whole steps on an H200
 * (PyTorch 2.11, default settings of the allocator; test/fixtures/reserved-runs.json). It depends on the order of sizes, which nobody
 * computes beforehand, so a peak has a margin and no figure: `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True` was not measured.
 */
export const RESERVED_SHARE = { least: 1.02, median: 1.16, most: 1.33, runs: 36 } as const;

/** Whether a peak fits: `surely` even with the largest margin that was measured, `barely` where only the tensors themselves do. */
export type Fit = "surely" | "barely" | "not";

export function fitOf(peakBytes: number, budgetBytes: number): Fit {
  if (peakBytes * RESERVED_SHARE.most <= budgetBytes) return "surely";
  return peakBytes <= budgetBytes ? "barely" : "not";
}
