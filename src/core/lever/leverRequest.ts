import { fail, type Outcome, succeed } from "../base/outcome.js";
import type { OffloadSettings } from "../config/document/offloadSettings.js";
import { patternsNotTexts } from "../profile/offloadChoice.js";
import type { ProfileRequest } from "../profile/request.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../profile/strategies.js";
import type { JobStep } from "../workload/jobStep.js";
import { type StepRequest, stepRequest } from "../workload/stepRequest.js";

/** Enough for one measured step behind one that allocates the pinned memory. */
const STEPS = 2;

/** What is asked of the simulator for a block as it stands, and what of its job that is. */
export interface LeverQuestion {
  readonly request: ProfileRequest;
  readonly step: JobStep;
  readonly scope: Pick<StepRequest, "stackOnly" | "accumulation">;
}

/** The step of a block with its own offload, or without where it has none. Fails with the problems of `stepRequest`. */
export function blockRequest(
  configJson: string,
  block: OffloadSettings,
  step: JobStep,
  device: string,
): Outcome<LeverQuestion> {
  const { enabled, patterns, cacheLimitGb, gradientCheckpointing } = block;
  if (block.patternsNotTexts === true || typeof patterns === "string") return fail(patternsNotTexts(block.blockPath));
  const asked = stepRequest(step, device);
  if (!asked.ok) return asked;
  const { members, ...scope } = asked.value;
  const request: ProfileRequest = {
    configJson,
    device,
    strategies: [enabled === true ? ASYNC_OFFLOAD : NO_OFFLOAD],
    gradientCheckpointing: (gradientCheckpointing ?? true) ? "on" : "off",
    patterns: patterns ?? [],
    cacheLimitGb: cacheLimitGb ?? 4,
    steps: STEPS,
    ...members,
  };
  return succeed({ request, step, scope });
}
