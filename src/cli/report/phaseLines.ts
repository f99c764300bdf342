import { PART_TITLES } from "../../core/base/memoryParts.js";
import { counted, formatBytes, formatNs, formatShare } from "../../core/base/quantities.js";
import { tableLines, tableRule } from "../../core/base/table.js";
import { peakNote, phaseTitle } from "../../core/profile/peakNote.js";
import type { PeakPart, ProfileResult, ProfileRun } from "../../core/profile/result.js";

const NS_PER_MS = 1e6;

/** The phases of a whole step as a table, and its peak with what it is made of; nothing for a run of the stack alone. */
export function phaseLines(run: ProfileRun, result: ProfileResult): readonly string[] {
  const { phases, peak } = run;
  if (phases === undefined || peak === undefined) return [];
  const head = ["phase", "time", "peak", "at its end"];
  const body = phases.map((phase) => [
    phaseTitle(run, phase),
    formatNs(phase.ms * NS_PER_MS),
    formatBytes(phase.peakBytes),
    formatBytes(phase.endBytes),
  ]);
  const table = tableLines([head, ...body], ["left", "right"]);
  const name = `${run.strategy}, checkpointing ${run.gradientCheckpointing ? "on" : "off"}`;
  return [
    `Whole step of ${name}: peak ${formatBytes(run.peakBytes)} in ${peakNote(run, result)}${firstStep(run)}`,
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
