import { unclearWord } from "../base/noise.js";
import { formatBytes, formatSignedShare } from "../base/quantities.js";
import { milliseconds } from "../sweep/explain.js";
import { stepSentences } from "../workload/jobStep.js";
import { scopeText } from "../workload/scopeText.js";
import { MOST_MICRO_BATCHES } from "../workload/stepRequest.js";
import type { EffectFigures } from "./effectFigures.js";

/**
 * e.g. `Simulated, H200: frees 2.2 GiB · pins 2.2 GiB · 97 % hidden · step about the same`. The mark stands first and the line is short: an
 * editor cuts what does not fit.
 */
export function effectLine(figures: EffectFigures): string {
  const { pinnedBytes, hiddenShare, deviceName } = figures;
  const parts = [
    freedText(figures),
    ...(pinnedBytes === 0 ? [] : [`pins ${formatBytes(pinnedBytes)}`]),
    ...(hiddenShare === null ? [] : [`${wholePercent(hiddenShare)} hidden`]),
    stepText(figures),
  ];
  return `Simulated, ${deviceName}: ${parts.join(" · ")}`;
}

/** All figures, one a line, with what they rest on; Markdown. */
export function effectTooltip(figures: EffectFigures): string {
  const { peakBytes, stepMs, stepMsRange, isExact, fits, deviceName, step, scope } = figures;
  const [least, most] = stepMsRange;
  const isUnclear = figures.stepTrend === "unclear";
  const doubt = isUnclear ? `; the difference is ${unclearWord({ width: 0, source: "simulator" })}` : "";
  const lines = [
    `Simulated on ${deviceName}: ${stepSentences(step)}`,
    scopeText(step, scope),
    `After forward it ${freedText(figures)} (${isExact ? "exact" : "an estimate, the model is approximated"}).`,
    `Peak: ${formatBytes(peakBytes.without)} without, ${formatBytes(peakBytes.with)} with offload${fits === false ? "; more than the device has" : ""}.`,
    `Pinned memory held: ${formatBytes(figures.pinnedBytes)}.`,
    `Step${scope.accumulation === undefined ? "" : ` of ${MOST_MICRO_BATCHES} micro-batches`}: ${milliseconds(stepMs.without)} without, ${milliseconds(stepMs.with)} with offload; expect ${milliseconds(least)} to ${milliseconds(most)}${doubt}.`,
  ];
  return lines.join("\n\n");
}

function freedText({ freedBytes }: EffectFigures): string {
  if (freedBytes === 0) return "frees nothing";
  if (freedBytes < 0) return `keeps ${formatBytes(-freedBytes)} more`;
  return `frees ${formatBytes(freedBytes)}`;
}

/** A share only where the simulator can tell the two times apart. */
function stepText({ stepTrend, overheadShare }: EffectFigures): string {
  const isTold = stepTrend === "better" || stepTrend === "worse";
  return `step ${isTold ? formatSignedShare(overheadShare) : "about the same"}`;
}

function wholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
