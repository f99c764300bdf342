import type { ProfileResult, ProfileRun } from "../profile/result.js";
import { formatBytes, formatDifference, formatExactBytes, formatNs } from "./quantities.js";

/** One of the five numbers over a timeline. `trend` says whether the difference to the baseline is good. */
export interface RunFigure {
  readonly id: "step" | "afterForward" | "peak" | "pinned" | "exposed";
  readonly label: string;
  readonly value: string;
  /** `−24.1 MiB (−66 %)`; null where the run is its own baseline or has none. */
  readonly difference: string | null;
  readonly trend: "better" | "worse" | "same" | null;
  readonly formula: string;
}

/** `veomni_async · checkpointing on`. */
export function runTitle(run: ProfileRun): string {
  return `${run.strategy} · checkpointing ${run.gradientCheckpointing ? "on" : "off"}`;
}

/** Index of the run with strategy `none` and the same checkpointing; undefined where there is none or it is `run` itself. */
export function baselineOf(result: ProfileResult, run: number): number | undefined {
  const asked = result.runs[run];
  if (asked === undefined || asked.strategy === "none") return undefined;
  const at = result.runs.findIndex(
    (candidate) => candidate.strategy === "none" && candidate.gradientCheckpointing === asked.gradientCheckpointing,
  );
  return at < 0 ? undefined : at;
}

/** Live activation bytes that remain after forward: everything beyond parameters and buffers. */
export function keptActivationBytes(run: ProfileRun): number {
  return run.afterForwardBytes - run.staticBytes;
}

/** Exposed copy time of both directions, ns. */
export function exposedCopyNs(run: ProfileRun): number {
  return run.copies.d2h.exposedNs + run.copies.h2d.exposedNs;
}

/** The five figures of a run with their differences to its baseline, in the order in which they are shown. */
export function figuresOf(result: ProfileResult, run: number): RunFigure[] {
  const asked = result.runs[run];
  if (asked === undefined) return [];
  const baselineIndex = baselineOf(result, run);
  const baseline = baselineIndex === undefined ? undefined : result.runs[baselineIndex];
  const figure = (
    id: RunFigure["id"],
    label: string,
    of: (run: ProfileRun) => number,
    format: (value: number) => string,
    formula: string,
  ): RunFigure => {
    const value = of(asked);
    if (baseline === undefined) return { id, label, value: format(value), difference: null, trend: null, formula };
    const before = of(baseline);
    const trend = value === before ? "same" : value < before ? "better" : "worse";
    return { id, label, value: format(value), difference: formatDifference(value, before, format), trend, formula };
  };
  const exact = (bytes: number) => formatExactBytes(bytes);
  const { median, samples } = asked.stepMs;
  return [
    figure(
      "step",
      "Step",
      (r) => r.stepMs.median * 1e6,
      formatNs,
      `Median of ${samples.length} measured ${samples.length === 1 ? "step" : "steps"}: ${formatNs(median * 1e6)} (${samples.map((ms) => formatNs(ms * 1e6)).join(", ")})`,
    ),
    figure(
      "afterForward",
      "After forward",
      keptActivationBytes,
      formatBytes,
      `Live bytes after forward ${exact(asked.afterForwardBytes)} − parameters and buffers ${exact(asked.staticBytes)} = ${exact(keptActivationBytes(asked))}`,
    ),
    figure(
      "peak",
      "Peak",
      (r) => r.peakBytes,
      formatBytes,
      `Most live tensor bytes at any time of the step, parameters included: ${exact(asked.peakBytes)}`,
    ),
    figure(
      "pinned",
      "Pinned",
      (r) => r.pinnedPeakBytes,
      formatBytes,
      `Most page-locked host memory held at any time: ${exact(asked.pinnedPeakBytes)}`,
    ),
    figure(
      "exposed",
      "Exposed copies",
      exposedCopyNs,
      formatNs,
      `Copy time without compute beside it: D2H ${formatNs(asked.copies.d2h.exposedNs)} + H2D ${formatNs(asked.copies.h2d.exposedNs)}`,
    ),
  ];
}
