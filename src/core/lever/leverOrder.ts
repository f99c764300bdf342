/** A change in the figures that order it. */
export interface OrderedChange {
  readonly peakBytesBefore: number;
  readonly peakBytesAfter: number;
  /** GPU time of the same work, in ms: more ranks are no gift. */
  readonly costMsBefore: number;
  readonly costMsAfter: number;
}

/** A change that lowers the peak by less is not worth a line. */
const LEAST_SAVING = 0.005;

export function lowersPeak({ peakBytesBefore, peakBytesAfter }: OrderedChange): boolean {
  return peakBytesAfter < peakBytesBefore * (1 - LEAST_SAVING);
}

/** Within a tenth of a step the ranges of two simulated times touch: none of them is known to cost anything. */
const LEAST_COST = 0.1;

/**
 * Best first: by the bytes that a change saves for each millisecond. What takes less than a tenth longer, or less time, counts as a tenth:
 * of changes that cost no time that is known, the one that saves most leads. Of equal ones the faster leads.
 */
export function compareLevers(left: OrderedChange, right: OrderedChange): number {
  return rateOf(right) - rateOf(left) || left.costMsAfter - right.costMsAfter;
}

function rateOf({ peakBytesBefore, peakBytesAfter, costMsBefore, costMsAfter }: OrderedChange): number {
  const costMs = Math.max(costMsAfter - costMsBefore, costMsBefore * LEAST_COST);
  return (peakBytesBefore - peakBytesAfter) / costMs;
}
