import { counted, formatBytes, formatNs, formatShare } from "../../core/base/quantities.js";
import { tableLines, tableRule } from "../../core/base/table.js";
import type { PeakPart, ProfileRun, StepPhase, StepPhaseName } from "../../core/profile/result.js";

/** How users call the phases of a step. */
const PHASE_TITLES: Readonly<Record<StepPhaseName, string>> = {
  stackForward: "stack forward",
  headForward: "head forward",
  headBackward: "head backward",
  stackBackward: "stack backward",
  clip: "clip",
  optimizer: "optimizer",
};

const PART_TITLES: Readonly<Record<PeakPart["what"], string>> = {
  parameters: "parameters",
  gathered: "gathered parameters",
  gradients: "gradients",
  reduceBuffers: "buffers of the reduction",
  optimizerStates: "optimizer states",
  layerInputs: "kept by layers",
  recomputed: "of the layer at hand",
  logits: "logits",
  headTemporaries: "temporaries of the head",
  headGradient: "gradients of the head",
  other: "other",
};

const NS_PER_MS = 1e6;

/** The phases of a whole step as a table, and its peak with what it is made of; nothing for a run of the stack alone. */
export function phaseLines(run: ProfileRun): readonly string[] {
  const { phases, peak } = run;
  if (phases === undefined || peak === undefined) return [];
  const severalMicroBatches = phases.some(({ microBatch }) => microBatch > 0);
  const title = ({ phase, microBatch }: Pick<StepPhase, "phase" | "microBatch">) =>
    severalMicroBatches ? `${PHASE_TITLES[phase]}, micro-batch ${microBatch + 1}` : PHASE_TITLES[phase];
  const head = ["phase", "time", "peak", "at its end"];
  const body = phases.map((phase) => [
    title(phase),
    formatNs(phase.ms * NS_PER_MS),
    formatBytes(phase.peakBytes),
    formatBytes(phase.endBytes),
  ]);
  const table = tableLines([head, ...body], ["left", "right"]);
  const name = `${run.strategy}, checkpointing ${run.gradientCheckpointing ? "on" : "off"}`;
  return [
    `Whole step of ${name}: peak ${formatBytes(run.peakBytes)} in ${title(peak)}${firstStep(run)}`,
    ...table.slice(0, 1),
    tableRule([head, ...body]),
    ...table.slice(1),
    `Peak: ${partsText(peak.parts, run.peakBytes)}`,
  ];
}

function firstStep({ firstStepPeakBytes, peakBytes }: ProfileRun): string {
  if (firstStepPeakBytes === undefined || firstStepPeakBytes === peakBytes) return "";
  return `; the first step, which makes the optimizer states, peaks at ${formatBytes(firstStepPeakBytes)}`;
}

function partsText(parts: readonly PeakPart[], peakBytes: number): string {
  return [...parts]
    .sort((one, other) => other.bytes - one.bytes)
    .map(
      ({ what, bytes, count }) =>
        `${PART_TITLES[what]} ${formatBytes(bytes)} (${formatShare(bytes / peakBytes)}, ${counted(count, "tensor")})`,
    )
    .join(", ");
}
