import type { SavedProfile } from "../profile/readContainer.js";
import type { Timeline } from "./columns.js";
import { buildEventRows, type EventRow } from "./eventRows.js";
import { type Intervals, UnionBuilder } from "./intervals.js";
import { buildLayerBand } from "./layerBand.js";
import { peakOf } from "./memorySlices.js";
import { isCompute, measureTimeline } from "./metrics.js";
import type { ProfileOverview, TableFilter, TimelineOverview } from "./protocol.js";

/** A timeline with everything that questions about it need; built once, about 60 bytes per event beside the columns. */
export interface IndexedTimeline {
  readonly timeline: Timeline;
  readonly rows: readonly EventRow[];
  /** Row of each event. */
  readonly rowOf: Uint16Array;
  readonly compute: Intervals;
  readonly overview: TimelineOverview;
  /** The last filtered table: the page asks for many pages of the same one. */
  table: { readonly filter: TableFilter; readonly events: Uint32Array } | null;
}

export interface IndexedProfile {
  readonly saved: SavedProfile;
  readonly timelines: readonly (IndexedTimeline | null)[];
}

export function indexProfile(saved: SavedProfile): IndexedProfile {
  return { saved, timelines: saved.timelines.map((timeline) => (timeline === null ? null : indexTimeline(timeline))) };
}

/** What the page gets first. */
export function overviewOf(profile: IndexedProfile, fileName: string): ProfileOverview {
  return {
    fileName,
    result: profile.saved.result,
    timelines: profile.timelines.map((timeline) => timeline?.overview ?? null),
  };
}

export function indexTimeline(timeline: Timeline): IndexedTimeline {
  const { events, lanes, spans } = timeline;
  const rows = buildEventRows(lanes, events);
  const rowOf = new Uint16Array(events.startNs.length);
  rows.forEach((row, at) => {
    for (const event of row.event) rowOf[event] = at;
  });
  const { metrics, exposed } = measureTimeline(timeline);
  const overview: TimelineOverview = {
    extent: extentOf(timeline),
    eventCount: events.startNs.length,
    lanes,
    strings: timeline.strings,
    spans,
    rows: rows.map((row) => ({ role: row.role, lane: row.lane, depth: row.depth, eventCount: row.event.length })),
    layerBand: buildLayerBand(lanes, events, spans),
    metrics,
    exposed,
    memory: timeline.memory.map((curve) => {
      const peak = peakOf(curve);
      return { of: curve.of, peakBytes: peak?.bytes ?? 0, peakAtNs: peak?.timeNs ?? 0 };
    }),
  };
  return { timeline, rows, rowOf, compute: computeOf(timeline), overview, table: null };
}

/** From the first to the last thing that the timeline holds; never empty, so that a view always has a width. */
function extentOf(timeline: Timeline): { fromNs: number; toNs: number } {
  const { events, memory, spans } = timeline;
  let fromNs = events.startNs[0] ?? Infinity;
  let toNs = -Infinity;
  for (let at = 0; at < events.startNs.length; at++)
    toNs = Math.max(toNs, (events.startNs[at] ?? 0) + (events.durationNs[at] ?? 0));
  for (const span of spans) {
    fromNs = Math.min(fromNs, span.startNs);
    toNs = Math.max(toNs, span.endNs);
  }
  if (!(toNs > fromNs))
    for (const curve of memory) {
      fromNs = Math.min(fromNs, curve.timeNs[0] ?? Infinity);
      toNs = Math.max(toNs, curve.timeNs.at(-1) ?? -Infinity);
    }
  if (fromNs === Infinity) return { fromNs: 0, toNs: 1 };
  return { fromNs, toNs: Math.max(toNs, fromNs + 1) };
}

function computeOf(timeline: Timeline): Intervals {
  const union = new UnionBuilder();
  const { startNs, durationNs, kind } = timeline.events;
  for (let at = 0; at < startNs.length; at++)
    if (isCompute(kind[at] ?? 0)) union.add(startNs[at] ?? 0, (startNs[at] ?? 0) + (durationNs[at] ?? 0));
  return union.build();
}
