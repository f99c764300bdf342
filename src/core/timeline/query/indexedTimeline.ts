import type { ProfileResult } from "../../profile/result.js";
import type { Timeline } from "../columns/columns.js";
import { buildEventRows, type EventRow } from "../columns/eventRows.js";
import type { ImportReport } from "../columns/importReport.js";
import type { Intervals } from "../columns/intervals.js";
import type { SavedProfile } from "../container/readContainer.js";
import { buildLayerBand } from "../layers/layerBand.js";
import type { IdleSplit } from "../metrics/analysisTypes.js";
import { longestMeasuredNs, measureTimeline } from "../metrics/metrics.js";
import type { Finding } from "./finding.js";
import { exposureOfLanes } from "./laneExposure.js";
import { peakOf } from "./memorySlices.js";
import { partTotals } from "./partSlices.js";
import type { ProfileOverview, TimelineOverview, TraceOverview, UnreadFile } from "./protocol.js";
import type { RowSlices } from "./slices.js";
import { thinnedBand } from "./thinned.js";

/** A timeline with everything that questions about it need; built once, about 60 bytes per event beside the columns. */
export interface IndexedTimeline {
  readonly timeline: Timeline;
  /** What the import had to say; null where nothing was imported. */
  readonly report: ImportReport | null;
  readonly rows: readonly EventRow[];
  /** Row of each event; made when it is first asked for, which the first picture does not do. */
  readonly rowOf: Uint16Array;
  /** Compute of all devices. */
  readonly compute: Intervals;
  /** Compute per device, where there are several. */
  readonly computeOf: ReadonlyMap<number, Intervals>;
  readonly overview: TimelineOverview;
  readonly longestMeasuredNs: number;
  /** The last filtered table: the page asks for many pages of the same one. */
  table: { readonly key: string; readonly events: Uint32Array } | null;
  /** The same for the marks of a search. */
  matches: { readonly key: string; readonly events: Uint32Array } | null;
  /** Arrows by their end, once they were asked for: `to` is ascending, `order` counts in the timeline's flows. */
  incoming: { readonly order: Uint32Array; readonly to: Uint32Array } | null;
  /** Rows sliced over the whole timeline, by resolution in ns; the oldest first. */
  readonly levels: Map<number, readonly RowSlices[]>;
  /** Once it was asked for. */
  idle: IdleSplit | null;
  /** Once they were asked for. */
  findings: readonly Finding[] | null;
}

/** What one editor tab looks at: a saved profile, or one or more traces. */
export interface IndexedProfile {
  readonly kind: "profile" | "trace";
  readonly result: ProfileResult | null;
  readonly timelines: readonly (IndexedTimeline | null)[];
  readonly traces: readonly TraceOverview[];
  /** Absent: every file was read. */
  readonly unread?: readonly UnreadFile[];
  /** First timeline of the file that was added to compare with; absent or null: none was. */
  readonly addedRun?: number | null;
}

export function indexProfile(saved: SavedProfile): IndexedProfile {
  const timelines = saved.timelines.map((timeline) => (timeline === null ? null : indexTimeline(timeline)));
  return { kind: "profile", result: saved.result, timelines, traces: [] };
}

/** What the page gets first. */
export function overviewOf(profile: IndexedProfile, fileName: string): ProfileOverview {
  return {
    kind: profile.kind,
    fileName,
    result: profile.result,
    timelines: profile.timelines.map((timeline) => timeline?.overview ?? null),
    traces: profile.traces,
    unread: profile.unread ?? [],
    addedRun: profile.addedRun ?? null,
  };
}

/** `alignNs` puts the timeline on the clock of the first one of its file (`TimelineOverview.alignNs`). */
export function indexTimeline(timeline: Timeline, alignNs = 0, report: ImportReport | null = null): IndexedTimeline {
  const { events, lanes, spans } = timeline;
  const rows = buildEventRows(lanes, events);
  const { metrics, compute } = measureTimeline(timeline);
  const perDevice = measureDevices(timeline);
  const devices = timeline.devices ?? [];
  const computeOf = new Map(perDevice.map((measured, at) => [devices[at]?.device ?? 0, measured.compute]));
  const overview: TimelineOverview = {
    extent: extentOf(timeline),
    eventCount: events.startNs.length,
    lanes,
    strings: timeline.strings,
    spans,
    rows: rows.map((row) => ({ role: row.role, lane: row.lane, depth: row.depth, eventCount: row.event.length })),
    layerBand: thinnedBand(buildLayerBand(lanes, events, spans)),
    metrics,
    laneExposure: exposureOfLanes(timeline, (device) => computeBeside({ compute, computeOf }, device)),
    memory: timeline.memory.map((curve) => {
      const peak = peakOf(curve);
      return {
        of: curve.of,
        peakBytes: peak?.bytes ?? 0,
        peakAtNs: peak?.timeNs ?? 0,
        parts: peak === undefined || curve.parts === undefined ? [] : partTotals(curve.parts, peak.change),
      };
    }),
    devices,
    perDevice: perDevice.map((one) => one.metrics),
    rank: timeline.rank ?? null,
    layerSource: timeline.layerSource === undefined ? "record" : timeline.layerSource,
    layerNames: timeline.layerNames ?? [],
    alignNs,
  };
  let rowOf: Uint16Array | undefined;
  return {
    timeline,
    report,
    rows,
    get rowOf() {
      rowOf ??= rowOfEach(rows, events.startNs.length);
      return rowOf;
    },
    compute,
    computeOf,
    overview,
    longestMeasuredNs: longestMeasuredNs(events),
    table: null,
    matches: null,
    incoming: null,
    levels: new Map(),
    idle: null,
    findings: null,
  };
}

function rowOfEach(rows: readonly EventRow[], eventCount: number): Uint16Array {
  const rowOf = new Uint16Array(eventCount);
  rows.forEach(({ event }, row) => {
    for (const each of event) rowOf[each] = row;
  });
  return rowOf;
}

/** What copies of a device hide under: compute of that device where there are several. */
export function computeBeside(
  { compute, computeOf }: Pick<IndexedTimeline, "compute" | "computeOf">,
  device: number | undefined,
): Intervals {
  return (device === undefined ? undefined : computeOf.get(device)) ?? compute;
}

/** More devices in one file would each cost a pass over all events. */
const MOST_DEVICES = 64;

function measureDevices(timeline: Timeline): ReturnType<typeof measureTimeline>[] {
  const devices = timeline.devices ?? [];
  if (devices.length < 2) return [];
  return devices.slice(0, MOST_DEVICES).map(({ device }) => measureTimeline(timeline, { device }));
}

/** From the first to the last thing that the timeline holds; never empty, so that a view always has a width. */
function extentOf(timeline: Timeline): { fromNs: number; toNs: number } {
  const { events, memory, spans } = timeline;
  let fromNs = events.startNs[0] ?? Infinity;
  let toNs = -Infinity;
  for (let at = 0; at < events.startNs.length; at++)
    // Spans end before their end: a mark at the very end has to lie inside.
    toNs = Math.max(toNs, (events.startNs[at] ?? 0) + Math.max(1, events.durationNs[at] ?? 0));
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
