import type { Trend } from "../base/noise.js";

/** A change in the figures that order it. */
export interface OrderedChange {
  readonly peakBytesBefore: number;
  readonly peakBytesAfter: number;
  /** GPU time of the same work, in ms: more ranks are no gift. */
  readonly costMsBefore: number;
  readonly costMsAfter: number;
  /** Of the time: `worse` where it is longer by more than the simulator can be wrong. */
  readonly trend: Trend;
}

/** A change that lowers the peak by less is not worth a line. */
const LEAST_SAVING = 0.005;

export function lowersPeak({ peakBytesBefore, peakBytesAfter }: OrderedChange): boolean {
  return peakBytesAfter < peakBytesBefore * (1 - LEAST_SAVING);
}

/** Two simulations of one device err alike: a step that is longer by more costs something, whatever the ranges of both say. */
const MOST_FREE = 0.1;

/**
 * Best first. Changes whose time the simulator cannot call longer cost nothing that is known: the one that saves most bytes leads. Then
 * those that cost time, by bytes per millisecond. Of equal ones the faster leads.
 */
export function compareLevers(left: OrderedChange, right: OrderedChange): number {
  return (
    Number(costs(left)) - Number(costs(right)) ||
    (costs(left) ? rateOf(right) - rateOf(left) : savedBy(right) - savedBy(left)) ||
    left.costMsAfter - right.costMsAfter
  );
}

function costs({ trend, costMsBefore, costMsAfter }: OrderedChange): boolean {
  return trend === "worse" || costMsAfter > costMsBefore * (1 + MOST_FREE);
}

function savedBy({ peakBytesBefore, peakBytesAfter }: OrderedChange): number {
  return peakBytesBefore - peakBytesAfter;
}

function rateOf(change: OrderedChange): number {
  return savedBy(change) / Math.max(change.costMsAfter - change.costMsBefore, Number.EPSILON);
}
