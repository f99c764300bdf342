import type { Timeline, TimelineSpan } from "../columns.js";

/** Steps and phases of a trace. */
export function recogniseSteps(_timeline: Timeline): TimelineSpan[] {
  return [];
}
