/** The part of a timeline on the screen, ns; `toNs > fromNs`. */
export interface VisibleRange {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Closest zoom: far below any kernel, far above the resolution of a double at hours of trace. */
export const MIN_SPAN_NS = 50;

/** `range` moved and cut so that it lies inside `whole` and is not shorter than `MIN_SPAN_NS`. */
export function clampRange(range: VisibleRange, whole: VisibleRange): VisibleRange {
  const wholeSpan = whole.toNs - whole.fromNs;
  const span = Math.min(wholeSpan, Math.max(Math.min(MIN_SPAN_NS, wholeSpan), range.toNs - range.fromNs));
  const middleKept = range.fromNs + (range.toNs - range.fromNs - span) / 2;
  const fromNs = Math.min(Math.max(middleKept, whole.fromNs), whole.toNs - span);
  return { fromNs, toNs: fromNs + span };
}

/** Zooms by `factor` (< 1 closer) with the time `anchorNs` staying where it is on the screen. */
export function zoomRange(range: VisibleRange, anchorNs: number, factor: number, whole: VisibleRange): VisibleRange {
  const span = range.toNs - range.fromNs;
  const smallest = Math.min(MIN_SPAN_NS, whole.toNs - whole.fromNs);
  const bounded = Math.max(smallest, span * factor) / span;
  return clampRange(
    { fromNs: anchorNs - (anchorNs - range.fromNs) * bounded, toNs: anchorNs + (range.toNs - anchorNs) * bounded },
    whole,
  );
}

/** Moves by `byNs` to the right, as far as `whole` allows. */
export function panRange(range: VisibleRange, byNs: number, whole: VisibleRange): VisibleRange {
  return clampRange({ fromNs: range.fromNs + byNs, toNs: range.toNs + byNs }, whole);
}

/** Shows `[startNs, endNs)` in the middle fifth of the screen, with its surroundings. */
export function fitRange(startNs: number, endNs: number, whole: VisibleRange): VisibleRange {
  const margin = Math.max(endNs - startNs, MIN_SPAN_NS / 5) * 2;
  return clampRange({ fromNs: startNs - margin, toNs: endNs + margin }, whole);
}

/** Moves as little as possible so that `[startNs, endNs)` can be seen; keeps the zoom unless the event is wider than it. */
export function revealRange(range: VisibleRange, startNs: number, endNs: number, whole: VisibleRange): VisibleRange {
  if (startNs >= range.fromNs && endNs <= range.toNs) return range;
  const span = range.toNs - range.fromNs;
  if (endNs - startNs > span) return fitRange(startNs, endNs, whole);
  const middle = (startNs + endNs) / 2;
  return clampRange({ fromNs: middle - span / 2, toNs: middle + span / 2 }, whole);
}
