import { type Outcome, succeed } from "../base/outcome.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import type { ProfileRequest } from "../profile/request.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../profile/strategies.js";
import type { JobStep } from "../workload/jobStep.js";
import { type StepRequest, stepRequest } from "../workload/stepRequest.js";

/** Enough for one measured step behind one that allocates the pinned memory. */
const STEPS = 2;

/** A question about a block, with what of its job is asked. */
export interface EffectQuestion {
  readonly request: ProfileRequest;
  readonly step: JobStep;
  readonly scope: StepRequest;
}

/**
 * The request whose result says what the offload of a block will do: once without and once with it, checkpointing as the block has
 * it. `device` is `sim:NAME`. `undefined` where the block does not offload, or says nothing that the framework would take as patterns.
 * Fails with the problems of `stepRequest`.
 */
export function effectRequest(
  configJson: string,
  settings: OffloadSettings,
  step: JobStep,
  device: string,
): Outcome<EffectQuestion> | undefined {
  const { enabled, patterns, patternsNotTexts, cacheLimitGb, gradientCheckpointing } = settings;
  if (enabled !== true || patternsNotTexts === true || typeof patterns === "string") return undefined;
  const asked = stepRequest(step, device);
  if (!asked.ok) return asked;
  const request: ProfileRequest = {
    configJson,
    device,
    strategies: [NO_OFFLOAD, ASYNC_OFFLOAD],
    gradientCheckpointing: (gradientCheckpointing ?? true) ? "on" : "off",
    patterns: patterns ?? [],
    cacheLimitGb: cacheLimitGb ?? 4,
    steps: STEPS,
    ...asked.value.members,
  };
  return succeed({ request, step, scope: asked.value });
}
