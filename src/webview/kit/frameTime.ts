/** Name of the measure that every drawn frame leaves for an observer. */
export const FRAME_MEASURE = "offload-lens frame";

/**
 * Runs the page's own work of one frame and measures it. An observer of the browser's performance timeline gets the
 * measure; nothing is kept here, so that it can go on for hours.
 */
export function timeFrame(work: () => void): void {
  const start = performance.now();
  work();
  performance.measure(FRAME_MEASURE, { start, end: performance.now() });
  performance.clearMeasures(FRAME_MEASURE);
}
