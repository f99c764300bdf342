import { type Expected, simulatedMargin, type Trend, trendOf, unclearWord } from "../base/noise.js";
import { formatBytes } from "../base/quantities.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD, STRATEGIES } from "../profile/strategies.js";
import { SAME_TIME } from "./choose.js";
import type { PatternSet } from "./grid.js";
import type { LeftOut, SweepPoint } from "./points.js";

const GIB = 1024 ** 3;

/** What a pattern set takes, in words. */
export const LAYERS_OF: Readonly<Record<PatternSet, string>> = {
  all: "all layers",
  second: "every second layer",
  half: "the first half of the layers",
};

/** e.g. `checkpointing on, async offload of every second layer, micro-batch 2`. */
export function describePoint(point: SweepPoint): string {
  const checkpointing = `checkpointing ${point.gradientCheckpointing ? "on" : "off"}`;
  const batch = point.microBatch === 1 ? "" : `, micro-batch ${point.microBatch}`;
  return `${checkpointing}, ${describeStrategy(point)}${batch}`;
}

function describeStrategy({ strategy, patternSet, cacheLimitGb }: SweepPoint): string {
  if (strategy === NO_OFFLOAD) return "no offload";
  if (!STRATEGIES[strategy].selectsModules) return strategy;
  return `${strategy} on ${LAYERS_OF[patternSet ?? "all"]} (host cache ${cacheLimitGb ?? 0} GiB)`;
}

/**
 * The choice in two sentences: what it is and costs, and what the nearest other choice would change; between them what speaks
 * against it, if anything does. Without a point that fits, what comes nearest.
 */
export function explainChoice(points: readonly SweepPoint[], best: number | undefined, budgetBytes: number): string {
  const choice = best === undefined ? undefined : points[best];
  if (choice === undefined) return explainNone(points, budgetBytes);
  const room = Number.isFinite(budgetBytes) ? `, within ${deviceMemory(budgetBytes)}` : "";
  const first = `Choose ${describePoint(choice)}: ${timeOf(choice)} and ${deviceMemory(choice.peakBytes)} at peak${room}.`;
  return [first, ...reservations(choice), compared(points, choice)].join(" ");
}

/** What speaks against a choice that the figures alone would not show. */
function reservations({ strategy, pinnedBytes }: SweepPoint): string[] {
  if (strategy === NO_OFFLOAD) return [];
  if (strategy !== ASYNC_OFFLOAD) return [`${strategy} is no setting of a VeOmni configuration.`];
  return pinnedBytes === 0 ? ["Here it moves nothing."] : [];
}

/** A range belongs to a whole step; a micro-batch of several sequences also has a time of one, by which points are compared. */
function timeOf({ stepMs, stepMsRange: [least, most], microBatch, msPerSequence }: SweepPoint): string {
  const sequence = microBatch === 1 ? "" : `, ${milliseconds(msPerSequence)} per sequence`;
  return `${milliseconds(stepMs)} a step (${milliseconds(least)} to ${milliseconds(most)}, simulated)${sequence}`;
}

/**
 * Times are compared per sequence: that is the same as per step only where both have one micro-batch. A difference that is less than
 * what the simulator knows is called neither faster nor slower.
 */
function compared(points: readonly SweepPoint[], choice: SweepPoint): string {
  const faster = points
    .filter((point) => !point.fits && point.msPerSequence < choice.msPerSequence * (1 - SAME_TIME))
    .sort((left, right) => left.peakBytes - right.peakBytes)[0];
  if (faster !== undefined) {
    const head = timeTrend(choice, faster) === "better" ? "Faster, but with" : "Perhaps faster, but with";
    return `${head} ${deviceMemory(faster.peakBytes)} too large: ${describeOther(faster, choice)}, ${insteadOf(faster, choice)}.`;
  }
  const smaller = points
    .filter((point) => point.peakBytes < 0.99 * choice.peakBytes)
    .sort((left, right) => left.msPerSequence - right.msPerSequence)[0];
  if (smaller === undefined) return "No other point of the grid has a lower peak.";
  return `A peak of only ${deviceMemory(smaller.peakBytes)}: ${describeOther(smaller, choice)}, ${insteadOf(smaller, choice)}.`;
}

/** How the time of a point compares with that of the choice, per sequence. */
function timeTrend(choice: SweepPoint, other: SweepPoint): Trend {
  const margin = simulatedMargin(expectedOf(choice), expectedOf(other));
  return trendOf(choice.msPerSequence, other.msPerSequence, margin, true);
}

function expectedOf({ msPerSequence, stepMsRange: [least, most], microBatch }: SweepPoint): Expected {
  return { value: msPerSequence, range: [least / microBatch, most / microBatch] };
}

/**
 * Both times, so that nobody must ask of what a share is; per sequence unless both have one micro-batch. What the simulator cannot
 * tell apart says so.
 */
function insteadOf(other: SweepPoint, choice: SweepPoint): string {
  const trend = timeTrend(choice, other);
  if (trend === "same") return "the same time";
  const isSameBatch = other.microBatch === choice.microBatch;
  const times = [other, choice].map((point) => milliseconds(isSameBatch ? point.stepMs : point.msPerSequence));
  const doubt = trend === "unclear" ? `, ${unclearWord({ width: 0, source: "simulator" })}` : "";
  return `${times.join(" instead of ")} ${isSameBatch ? "a step" : "per sequence"}${doubt}`;
}

/** Also a micro-batch of 1 is named where the choice has another. */
function describeOther(other: SweepPoint, choice: SweepPoint): string {
  const isNamed = other.microBatch === 1 && choice.microBatch !== 1;
  return `${describePoint(other)}${isNamed ? ", micro-batch 1" : ""}`;
}

/** A part of the grid that has no points, and why. */
export function describeLeftOut({ message }: LeftOut): string {
  return `Left out: ${message}`;
}

function explainNone(points: readonly SweepPoint[], budgetBytes: number): string {
  const smallest = [...points].sort((left, right) => left.peakBytes - right.peakBytes)[0];
  if (smallest === undefined) return "Nothing was simulated. Widen the grid.";
  return `Nothing of this grid fits ${deviceMemory(budgetBytes)}. The lowest peak is ${deviceMemory(smallest.peakBytes)}, with ${describePoint(smallest)}: use more ranks, shorter sequences or a smaller micro-batch.`;
}

/** Peaks and budgets in GiB, as memory of devices is named; in MiB or less where tenths of a GiB would say little. */
export function deviceMemory(bytes: number): string {
  return bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : formatBytes(bytes).replace("\u00a0", " ");
}

export function milliseconds(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms >= 100 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
}
