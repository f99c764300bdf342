/**
 * What device memory of a step is for, in the order in which it is stacked: what stays through a step below, what comes and goes
 * with the layers and the head above.
 */
export const MEMORY_PARTS = [
  "parameters",
  "optimizerStates",
  "gathered",
  "gradients",
  "reduceBuffers",
  "other",
  "layerInputs",
  "recomputed",
  "logits",
  "headTemporaries",
  "headGradient",
] as const;

export type MemoryPart = (typeof MEMORY_PARTS)[number];

/** How users call the parts. */
export const PART_TITLES: Readonly<Record<MemoryPart, string>> = {
  parameters: "parameters",
  gathered: "gathered weights",
  gradients: "gradients",
  reduceBuffers: "reduce buffers",
  optimizerStates: "optimizer states",
  layerInputs: "kept by layers",
  recomputed: "layer at hand",
  logits: "logits",
  headTemporaries: "head temporaries",
  headGradient: "head gradients",
  other: "other",
};
