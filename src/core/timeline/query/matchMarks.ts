import { listedEvents } from "./eventTable.js";
import type { IndexedTimeline } from "./indexedTimeline.js";
import type { Answers, Question, TableFilter } from "./protocol.js";

/** Of all rows together: more than a screen shows, and few enough for one message. */
const MAX_MARKS = 200_000;

/** Whether a filter restricts anything beyond the stretch of time. */
export function isSearch(filter: TableFilter): boolean {
  const { role, text, fromNs: _from, toNs: _to, ...bounds } = filter;
  return role !== null || text !== "" || Object.values(bounds).some((bound) => bound !== undefined);
}

/**
 * Where the events that pass the filter lie in `[fromNs, toNs)`, per asked row; matches less than a pixel apart are one
 * mark. In order of start.
 */
export function matchMarks(
  indexed: IndexedTimeline,
  asked: Question & { readonly kind: "matches" },
): Answers["matches"] {
  const { startNs, durationNs } = indexed.timeline.events;
  const { filter, fromNs, toNs, pixelNs } = asked;
  const marks = new Map(asked.rows.map((row) => [row, { starts: [] as number[], ends: [] as number[] }]));
  let room = MAX_MARKS;
  for (const event of matchesOf(indexed, filter)) {
    const start = startNs[event] ?? 0;
    if (start >= toNs || room <= 0) break;
    const end = start + (durationNs[event] ?? 0);
    if (end < fromNs) continue;
    const row = marks.get(indexed.rowOf[event] ?? 0);
    if (row === undefined) continue;
    const last = row.ends.length - 1;
    if (last >= 0 && start - (row.ends[last] ?? 0) < pixelNs) row.ends[last] = Math.max(row.ends[last] ?? 0, end);
    else {
      row.starts.push(start);
      row.ends.push(end);
      room--;
    }
  }
  const rows = [...marks].filter(([, { starts }]) => starts.length > 0);
  return {
    marks: rows.map(([row, { starts, ends }]) => ({
      row,
      startNs: Float64Array.from(starts),
      endNs: Float64Array.from(ends),
    })),
  };
}

/** Kept beside the list of the table: panning asks for the same matches again and again. */
function matchesOf(indexed: IndexedTimeline, filter: TableFilter): Uint32Array {
  const key = JSON.stringify(filter);
  if (indexed.matches?.key === key) return indexed.matches.events;
  const { table } = indexed;
  const events = listedEvents(indexed, filter, undefined);
  if (table !== null) indexed.table = table;
  indexed.matches = { key, events };
  return events;
}
