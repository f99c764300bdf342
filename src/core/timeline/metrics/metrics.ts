import { type EventColumns, EventKind, type Timeline, type TimelineLane } from "../columns/columns.js";
import { type Intervals, intersect, totalNs, UnionBuilder } from "../columns/intervals.js";

/**
 * Copies or collectives of a timeline. busy = union of the intervals; hidden = the part of it under compute-busy;
 * exposed = busy − hidden (house vocabulary, the same in every view and on the command line).
 */
export interface CoveredMetrics {
  readonly count: number;
  /** Those whose size is known. */
  readonly sizedCount: number;
  /** Of those whose size is known; null where there are copies and of none it is. */
  readonly bytes: number | null;
  /** Union of those whose size is known: what a rate is measured over. */
  readonly sizedBusyNs: number;
  readonly busyNs: number;
  readonly hiddenNs: number;
  readonly exposedNs: number;
}

/** Times in ns. `spanNs` reaches from the first start to the last end of anything that ran on the device. */
export interface TimelineMetrics {
  readonly spanNs: number;
  /** Union of kernels other than collectives, memsets and device-to-device copies. */
  readonly computeBusyNs: number;
  /** Span minus the union of everything on the device. */
  readonly idleNs: number;
  readonly counts: { readonly kernel: number; readonly memset: number; readonly dtod: number };
  readonly d2h: CoveredMetrics;
  readonly h2d: CoveredMetrics;
  /** Counts as compute: its busy time is hidden by definition. */
  readonly d2d: CoveredMetrics;
  /** Both directions as one role: time in which both run counts once. */
  readonly copiesAny: CoveredMetrics;
  readonly collective: CoveredMetrics;
  /** Sum of the times that compute streams stood still for another stream. */
  readonly computeWaitNs: number;
  /** Sum of the times that the host stood still for the device. */
  readonly hostWaitNs: number;
}

interface Gathered {
  readonly count: Float64Array;
  readonly unsized: Float64Array;
  readonly bytes: Float64Array;
  readonly durationNs: Float64Array;
  readonly computeWaitNs: number;
  /** From the first start to the last end, things without length included. */
  readonly workNs: number;
  readonly compute: Intervals;
  readonly d2h: Intervals;
  readonly h2d: Intervals;
  readonly d2d: Intervals;
  readonly copies: Intervals;
  /** Of copies whose size is known, by kind; both directions together are under `copiesAny`. */
  readonly sized: ReadonlyMap<number, Intervals>;
  readonly collective: Intervals;
  readonly device: Intervals;
}

/** Which part of a timeline is measured. */
export interface MeasureScope {
  /** Only lanes of this device; lanes without a number belong to every device. */
  readonly device?: number;
  /** Only what touches `[fromNs, toNs)`, cut at its edges; counts and bytes are those of the uncut events. */
  readonly range?: { readonly fromNs: number; readonly toNs: number };
  /** No event before this one touches the range: where to begin. */
  readonly firstEvent?: number;
}

/** Computes all metrics in one pass over the columns (sorted by start, as `EventColumns` promises). */
export function measureTimeline(
  { events, lanes }: Pick<Timeline, "events" | "lanes">,
  scope: MeasureScope = {},
): {
  metrics: TimelineMetrics;
  /** What copies hide under. */
  compute: Intervals;
} {
  const seen = gather(events, lanes, scope);
  const { count, durationNs, compute, device } = seen;
  const of = (kinds: readonly number[], intervals: Intervals) => cover(kinds, intervals, seen);
  const { range } = scope;
  const spanNs = range === undefined ? seen.workNs : Math.max(0, range.toNs - range.fromNs);
  const metrics: TimelineMetrics = {
    spanNs,
    computeBusyNs: totalNs(compute),
    idleNs: spanNs - totalNs(device),
    counts: {
      kernel: count[EventKind.kernel] ?? 0,
      memset: count[EventKind.memset] ?? 0,
      dtod: count[EventKind.copyD2D] ?? 0,
    },
    d2h: of([EventKind.copyD2H], seen.d2h),
    h2d: of([EventKind.copyH2D], seen.h2d),
    d2d: of([EventKind.copyD2D], seen.d2d),
    copiesAny: of([EventKind.copyD2H, EventKind.copyH2D], seen.copies),
    collective: of([EventKind.collective], seen.collective),
    computeWaitNs: seen.computeWaitNs,
    hostWaitNs: durationNs[EventKind.hostWait] ?? 0,
  };
  return { metrics, compute };
}

function gather(
  events: EventColumns,
  lanes: readonly TimelineLane[],
  { device, range, firstEvent = 0 }: MeasureScope,
): Gathered {
  const { fromNs, toNs } = range ?? { fromNs: -Infinity, toNs: Infinity };
  const laneFits = lanes.map((lane) => device === undefined || lane.device === undefined || lane.device === device);
  let computeWaitNs = 0;
  let firstNs = Infinity;
  let lastNs = -Infinity;
  const count = new Float64Array(256);
  const unsized = new Float64Array(256);
  const bytes = new Float64Array(256);
  const durationNs = new Float64Array(256);
  const union = {
    compute: new UnionBuilder(),
    d2h: new UnionBuilder(),
    h2d: new UnionBuilder(),
    d2d: new UnionBuilder(),
    copies: new UnionBuilder(),
    collective: new UnionBuilder(),
    device: new UnionBuilder(),
  };
  const sized = new Map<number, UnionBuilder>(SIZED_KINDS.map((kind) => [kind, new UnionBuilder()]));
  for (let at = firstEvent; at < events.startNs.length; at++) {
    const kind = events.kind[at] ?? EventKind.other;
    if (!isMeasured(kind)) continue;
    const startNs = Math.max(fromNs, events.startNs[at] ?? 0);
    if (startNs >= toNs) break;
    const endNs = Math.min(toNs, (events.startNs[at] ?? 0) + (events.durationNs[at] ?? 0));
    if (endNs < startNs || (endNs === fromNs && (events.durationNs[at] ?? 0) > 0)) continue;
    if (laneFits[events.lane[at] ?? 0] !== true) continue;
    count[kind] = (count[kind] ?? 0) + 1;
    const size = events.bytes[at] ?? 0;
    if (Number.isNaN(size)) unsized[kind] = (unsized[kind] ?? 0) + 1;
    else {
      bytes[kind] = (bytes[kind] ?? 0) + size;
      sized.get(kind)?.add(startNs, endNs);
      if (kind === EventKind.copyD2H || kind === EventKind.copyH2D) sized.get(ANY_COPY)?.add(startNs, endNs);
    }
    durationNs[kind] = (durationNs[kind] ?? 0) + endNs - startNs;
    if (kind === EventKind.streamWait && lanes[events.lane[at] ?? 0]?.role === "compute")
      computeWaitNs += endNs - startNs;
    if (!runsOnDevice(kind)) continue;
    firstNs = Math.min(firstNs, startNs);
    lastNs = Math.max(lastNs, endNs);
    union.device.add(startNs, endNs);
    if (kind === EventKind.copyD2D) union.d2d.add(startNs, endNs);
    if (isCompute(kind)) union.compute.add(startNs, endNs);
    else if (kind === EventKind.collective) union.collective.add(startNs, endNs);
    else {
      union.copies.add(startNs, endNs);
      (kind === EventKind.copyD2H ? union.d2h : union.h2d).add(startNs, endNs);
    }
  }
  return {
    count,
    unsized,
    bytes,
    durationNs,
    computeWaitNs,
    sized: new Map([...sized].map(([kind, union]) => [kind, union.build()])),
    workNs: Math.max(0, lastNs - firstNs),
    compute: union.compute.build(),
    d2h: union.d2h.build(),
    h2d: union.h2d.build(),
    d2d: union.d2d.build(),
    copies: union.copies.build(),
    collective: union.collective.build(),
    device: union.device.build(),
  };
}

function cover(kinds: readonly number[], intervals: Intervals, seen: Gathered): CoveredMetrics {
  const busyNs = totalNs(intervals);
  const hiddenNs = totalNs(intersect(intervals, seen.compute));
  const sumOf = (column: Float64Array) => kinds.reduce((sum, kind) => sum + (column[kind] ?? 0), 0);
  const count = sumOf(seen.count);
  const sizedCount = count - sumOf(seen.unsized);
  const sized = seen.sized.get(kinds.length > 1 ? ANY_COPY : (kinds[0] ?? ANY_COPY));
  return {
    count,
    sizedCount,
    bytes: count > 0 && sizedCount === 0 ? null : sumOf(seen.bytes),
    sizedBusyNs: sizedCount === count || sized === undefined ? busyNs : totalNs(sized),
    busyNs,
    hiddenNs,
    exposedNs: busyNs - hiddenNs,
  };
}

/** Stands for copies of both directions. */
const ANY_COPY = -1;
const SIZED_KINDS = [EventKind.copyD2H, EventKind.copyH2D, EventKind.copyD2D, ANY_COPY] as const;

/** Kernels other than collectives, memsets and device-to-device copies. */
export function isCompute(kind: number): boolean {
  return kind === EventKind.kernel || kind === EventKind.memset || kind === EventKind.copyD2D;
}

/** The longest thing that metrics count, ns: nothing that starts earlier before a span than that touches it. */
export function longestMeasuredNs({ kind, durationNs }: EventColumns): number {
  let longestNs = 0;
  for (let at = 0; at < kind.length; at++) {
    if (isMeasured(kind[at] ?? EventKind.other) && (durationNs[at] ?? 0) > longestNs) longestNs = durationNs[at] ?? 0;
  }
  return longestNs;
}

/** What metrics count: work of the device and waits. Most events of a trace are others: operators and calls of the host. */
function isMeasured(kind: number): boolean {
  return kind <= EventKind.streamWait;
}

/** Work of the device, as opposed to waits, calls of the host and named ranges. */
export function runsOnDevice(kind: number): boolean {
  return isCompute(kind) || kind === EventKind.copyD2H || kind === EventKind.copyH2D || kind === EventKind.collective;
}
