import type { EventColumns, TimelineLane } from "./columns.js";
import type { LaneRole } from "./laneRoles.js";
import { ROLE_ORDER } from "./laneWork.js";

/**
 * A row of boxes in drawing order with what makes queries fast: everything is parallel to `startNs`, ascending.
 * A lane whose events overlap or nest has several rows; only the last of many may still hold overlapping boxes.
 */
export interface EventRow {
  readonly role: LaneRole;
  /** Index into the timeline's lanes. */
  readonly lane: number;
  /** 0 for the lane's first row. */
  readonly depth: number;
  /** Index of each box's event. */
  readonly event: Uint32Array;
  readonly startNs: Float64Array;
  /** Largest end among the boxes up to here; without overlap simply the box's end. */
  readonly latestEndNs: Float64Array;
  /** Sum of the durations of the boxes before this one; one element longer than the row. */
  readonly durationBeforeNs: Float64Array;
  /** `longestNs[k][b]` is the longest duration among boxes `[b · 16^k, (b + 1) · 16^k)`; level 0 is the durations. */
  readonly longestNs: readonly Float64Array[];
}

/** Deeper nesting than this shares the last row: a row per level would bury the picture. */
export const MAX_ROWS_PER_LANE = 8;
const FAN_OUT = 16;

/** Rows of a timeline in the order in which lanes are drawn; every event is in exactly one row. */
export function buildEventRows(lanes: readonly TimelineLane[], events: EventColumns): EventRow[] {
  const depthOf = assignDepths(lanes.length, events);
  const sizes = new Uint32Array(lanes.length * MAX_ROWS_PER_LANE);
  for (let at = 0; at < depthOf.length; at++) {
    const key = rowKey(events.lane[at] ?? 0, depthOf[at] ?? 0);
    sizes[key] = (sizes[key] ?? 0) + 1;
  }
  const members = eventsByRow(events.lane, depthOf, sizes);
  const keys = [...sizes.keys()].filter((key) => sizes[key] !== 0);
  keys.sort((a, b) => drawOrder(lanes, a) - drawOrder(lanes, b) || a - b);
  return keys.map((key) => {
    const lane = Math.floor(key / MAX_ROWS_PER_LANE);
    const list = members[key] ?? new Uint32Array();
    return buildRow(lanes[lane]?.role ?? "host", lane, key % MAX_ROWS_PER_LANE, list, events);
  });
}

/** Numbers of the events of each row, ascending; the list of row `k` has length `sizes[k]`. */
function eventsByRow(lane: Uint32Array, depthOf: Uint8Array, sizes: Uint32Array): readonly Uint32Array[] {
  const ends = new Uint32Array(sizes.length);
  for (let key = 1; key < ends.length; key++) ends[key] = (ends[key - 1] ?? 0) + (sizes[key - 1] ?? 0);
  const sorted = new Uint32Array(depthOf.length);
  for (let at = 0; at < depthOf.length; at++) {
    const key = rowKey(lane[at] ?? 0, depthOf[at] ?? 0);
    const place = ends[key] ?? 0;
    sorted[place] = at;
    ends[key] = place + 1;
  }
  return Array.from(sizes, (size, key) => sorted.subarray((ends[key] ?? 0) - size, ends[key]));
}

/** First fit: an event goes to the first row of its lane that is free when it starts. */
function assignDepths(laneCount: number, events: EventColumns): Uint8Array {
  const depths = new Uint8Array(events.startNs.length);
  const freeAtNs = new Float64Array(laneCount * MAX_ROWS_PER_LANE).fill(-Infinity);
  for (let at = 0; at < depths.length; at++) {
    const base = (events.lane[at] ?? 0) * MAX_ROWS_PER_LANE;
    const startNs = events.startNs[at] ?? 0;
    let depth = 0;
    while (depth < MAX_ROWS_PER_LANE - 1 && (freeAtNs[base + depth] ?? 0) > startNs) depth++;
    depths[at] = depth;
    freeAtNs[base + depth] = Math.max(freeAtNs[base + depth] ?? 0, startNs + (events.durationNs[at] ?? 0));
  }
  return depths;
}

function rowKey(lane: number, depth: number): number {
  return lane * MAX_ROWS_PER_LANE + depth;
}

function drawOrder(lanes: readonly TimelineLane[], key: number): number {
  return ROLE_ORDER.indexOf(lanes[Math.floor(key / MAX_ROWS_PER_LANE)]?.role ?? "host");
}

function buildRow(role: LaneRole, lane: number, depth: number, event: Uint32Array, events: EventColumns): EventRow {
  const startNs = new Float64Array(event.length);
  const durationNs = new Float64Array(event.length);
  const latestEndNs = new Float64Array(event.length);
  const durationBeforeNs = new Float64Array(event.length + 1);
  let latest = -Infinity;
  let sum = 0;
  for (let at = 0; at < event.length; at++) {
    const source = event[at] ?? 0;
    const start = events.startNs[source] ?? 0;
    const duration = events.durationNs[source] ?? 0;
    startNs[at] = start;
    durationNs[at] = duration;
    latest = Math.max(latest, start + duration);
    latestEndNs[at] = latest;
    sum += duration;
    durationBeforeNs[at + 1] = sum;
  }
  return { role, lane, depth, event, startNs, latestEndNs, durationBeforeNs, longestNs: maxima(durationNs) };
}

function maxima(durationNs: Float64Array): Float64Array[] {
  const levels = [durationNs];
  let below = durationNs;
  while (below.length > FAN_OUT) {
    const level = new Float64Array(Math.ceil(below.length / FAN_OUT));
    for (let block = 0; block < level.length; block++) {
      const end = Math.min(below.length, (block + 1) * FAN_OUT);
      let longest = 0;
      for (let at = block * FAN_OUT; at < end; at++) longest = Math.max(longest, below[at] ?? 0);
      level[block] = longest;
    }
    levels.push(level);
    below = level;
  }
  return levels;
}

/** First position in `[from, length)` whose value is at least `value`, in an ascending column. */
export function firstAtLeast(column: Float64Array, value: number, from = 0): number {
  let low = from;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First position in `[from, limit)` whose duration is at least `minimumNs`, else `limit`. Logarithmic. */
export function firstLong(row: EventRow, minimumNs: number, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    // Climb as long as `at` begins a block that holds nothing long enough, then step over that block.
    let level = 0;
    let width = 1;
    if ((row.longestNs[0]?.[at] ?? 0) >= minimumNs) return at;
    while (
      level + 1 < row.longestNs.length &&
      at % (width * FAN_OUT) === 0 &&
      (row.longestNs[level + 1]?.[at / (width * FAN_OUT)] ?? 0) < minimumNs
    ) {
      level++;
      width *= FAN_OUT;
    }
    at += width;
  }
  return limit;
}
