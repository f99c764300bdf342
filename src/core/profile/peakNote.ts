import type { MemoryPart } from "../base/memoryParts.js";
import { formatBytes, grouped } from "../base/quantities.js";
import type { ProfileResult, ProfileRun, StepPhaseName } from "./result.js";

/** How users call the phases of a step. */
export const PHASE_TITLES: Readonly<Record<StepPhaseName, string>> = {
  stackForward: "stack forward",
  headForward: "head forward",
  headBackward: "head backward",
  stackBackward: "stack backward",
  clip: "clip",
  optimizer: "optimizer",
};

const HEAD_PHASES: readonly StepPhaseName[] = ["headForward", "headBackward"];
const ONCE_A_STEP: readonly StepPhaseName[] = ["clip", "optimizer"];

/** What the head holds for each of its logits. */
const HEAD_PARTS: readonly MemoryPart[] = ["logits", "headTemporaries", "headGradient"];
/** Logits of all tokens in bf16: a head that holds less computes them in chunks, and bytes per logit would say nothing. */
const LEAST_BYTES_PER_LOGIT = 2;

/** `head backward, micro-batch 2`; the micro-batch only where the step has several, and the phase is one of each. */
export function phaseTitle(
  run: ProfileRun,
  { phase, microBatch }: { readonly phase: StepPhaseName; readonly microBatch: number },
): string {
  const isOneOfSeveral = run.phases?.some((other) => other.microBatch > 0) === true;
  return isOneOfSeveral && !ONCE_A_STEP.includes(phase)
    ? `${PHASE_TITLES[phase]}, micro-batch ${microBatch + 1}`
    : PHASE_TITLES[phase];
}

/**
 * Where a whole step has its peak and what makes it, e.g. `head backward: 26.0 bytes × 8,192 tokens × 151,936 vocabulary, head
 * verl_torch with entropy eager`. Bytes are those of logits, their temporaries and gradients at the peak. undefined for a run of
 * the stack alone.
 */
export function peakNote(run: ProfileRun, { workload, model }: ProfileResult): string | undefined {
  if (run.peak === undefined) return undefined;
  const title = phaseTitle(run, run.peak);
  const headBytes = run.peak.parts.reduce((sum, part) => sum + (HEAD_PARTS.includes(part.what) ? part.bytes : 0), 0);
  if (headBytes === 0 || !HEAD_PHASES.includes(run.peak.phase)) return title;
  const head = headName(workload);
  const tokens = (Math.max(...workload.seqLens) * workload.microBatch) / (workload.sequenceParallel ?? 1);
  const perLogit = headBytes / tokens / model.vocabSize;
  if (perLogit < LEAST_BYTES_PER_LOGIT) return `${title}: ${formatBytes(headBytes)} of ${head}`;
  return `${title}: ${perLogit.toFixed(1)} bytes × ${grouped(tokens)} tokens × ${grouped(model.vocabSize)} vocabulary, ${head}`;
}

function headName({ head, entropy }: ProfileResult["workload"]): string {
  const withEntropy = entropy === undefined || entropy === "none" ? "" : ` with entropy ${entropy}`;
  return `head ${head ?? "none"}${withEntropy}`;
}
