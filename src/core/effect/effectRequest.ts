import type { StepWorkload } from "../base/stepWorkload.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import type { ProfileRequest } from "../profile/request.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../profile/strategies.js";

/** Enough for one measured step behind one that allocates the pinned memory. */
const STEPS = 2;

/**
 * The request whose result says what the offload of a block will do: once without and once with it, checkpointing as the block has
 * it. `device` is `sim:NAME`. `undefined` where the block does not offload, or says nothing that the framework would take as patterns.
 */
export function effectRequest(
  configJson: string,
  settings: OffloadSettings,
  workload: StepWorkload,
  device: string,
): ProfileRequest | undefined {
  const { enabled, patterns, patternsNotTexts, cacheLimitGb, gradientCheckpointing } = settings;
  if (enabled !== true || patternsNotTexts === true || typeof patterns === "string") return undefined;
  const layers = workload.layers.value;
  return {
    configJson,
    device,
    strategies: [NO_OFFLOAD, ASYNC_OFFLOAD],
    gradientCheckpointing: (gradientCheckpointing ?? true) ? "on" : "off",
    seqLens: [workload.seqLen.value],
    microBatch: workload.microBatch.value,
    patterns: patterns ?? [],
    cacheLimitGb: cacheLimitGb ?? 4,
    steps: STEPS,
    ...(layers === undefined ? {} : { layers }),
  };
}
