import type { OffloadSettings } from "../config/document/offloadSettings.js";
import type { ProfileRequest } from "../profile/request.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../profile/strategies.js";

/** What runs in a step, beside what the block itself says. */
export interface EffectWorkload {
  readonly seqLen: number;
  readonly microBatch: number;
  readonly layers: number | undefined;
  /** `sim:NAME`. */
  readonly device: string;
}

/** Enough for one measured step behind one that allocates the pinned memory. */
const STEPS = 2;

/**
 * The request whose result says what the offload of a block will do: once without and once with it, checkpointing as the block has
 * it. `undefined` where the block does not offload, or says nothing that the framework would take as patterns.
 */
export function effectRequest(
  configJson: string,
  settings: OffloadSettings,
  { seqLen, microBatch, layers, device }: EffectWorkload,
): ProfileRequest | undefined {
  const { enabled, patterns, patternsNotTexts, cacheLimitGb, gradientCheckpointing } = settings;
  if (enabled !== true || patternsNotTexts === true || typeof patterns === "string") return undefined;
  return {
    configJson,
    device,
    strategies: [NO_OFFLOAD, ASYNC_OFFLOAD],
    gradientCheckpointing: (gradientCheckpointing ?? true) ? "on" : "off",
    seqLens: [seqLen],
    microBatch,
    patterns: patterns ?? [],
    cacheLimitGb: cacheLimitGb ?? 4,
    steps: STEPS,
    ...(layers === undefined ? {} : { layers }),
  };
}
