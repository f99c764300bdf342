import type { EventColumns, Timeline, TimelineLane } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { type Intervals, intersect, totalNs, UnionBuilder } from "../columns/intervals.js";
import type { CoveredRole } from "../columns/laneRoles.js";
import { COVERED_ROLES, isCoveredRole, kindsOf, roleOfKind, Work, workOf } from "../columns/laneWork.js";

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

/**
 * Times in ns. `spanNs` reaches from the first start to the last end of anything that ran on the device. Of roles whose work
 * counts as compute (`d2d`), the busy time is hidden by definition.
 */
export interface TimelineMetrics extends Readonly<Record<CoveredRole, CoveredMetrics>> {
  readonly spanNs: number;
  /** Union of kernels other than collectives, memsets and device-to-device copies. */
  readonly computeBusyNs: number;
  /** Span minus the union of everything on the device. */
  readonly idleNs: number;
  readonly counts: { readonly kernel: number; readonly memset: number; readonly dtod: number };
  /** Copies of every direction as one role: time in which several run counts once. */
  readonly copiesAny: CoveredMetrics;
  /** Sum of the times that compute streams stood still for another stream. */
  readonly computeWaitNs: number;
  /** Sum of the times that the host stood still for the device. */
  readonly hostWaitNs: number;
}

/** What is measured by what compute covers of it. */
type Covered = CoveredRole | "copiesAny";
const COVERED: readonly Covered[] = [...COVERED_ROLES, "copiesAny"];

interface Gathered {
  readonly count: Float64Array;
  readonly unsized: Float64Array;
  readonly bytes: Float64Array;
  readonly durationNs: Float64Array;
  readonly computeWaitNs: number;
  /** From the first start to the last end, things without length included. */
  readonly workNs: number;
  readonly compute: Intervals;
  readonly busy: ReadonlyMap<Covered, Intervals>;
  /** The same of what has a known size. */
  readonly sized: ReadonlyMap<Covered, Intervals>;
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
  const covered = COVERED_ROLES.map((role) => [role, cover(role, kindsOf(role), seen)]);
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
    ...(Object.fromEntries(covered) as Record<CoveredRole, CoveredMetrics>),
    copiesAny: cover("copiesAny", ANY_COPY_KINDS, seen),
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
  const union = { compute: new UnionBuilder(), device: new UnionBuilder() };
  const busy = new Map(COVERED.map((role) => [role, new UnionBuilder()]));
  const sized = new Map(COVERED.map((role) => [role, new UnionBuilder()]));
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
      if (kind !== EventKind.kernel) addCovered(sized, kind, startNs, endNs);
    }
    durationNs[kind] = (durationNs[kind] ?? 0) + endNs - startNs;
    if (kind === EventKind.streamWait && lanes[events.lane[at] ?? 0]?.role === "compute")
      computeWaitNs += endNs - startNs;
    if (!runsOnDevice(kind)) continue;
    firstNs = Math.min(firstNs, startNs);
    lastNs = Math.max(lastNs, endNs);
    union.device.add(startNs, endNs);
    if (isCompute(kind)) union.compute.add(startNs, endNs);
    // Most events are kernels, which have no union of their own.
    if (kind !== EventKind.kernel) addCovered(busy, kind, startNs, endNs);
  }
  return {
    count,
    unsized,
    bytes,
    durationNs,
    computeWaitNs,
    busy: built(busy),
    sized: built(sized),
    workNs: Math.max(0, lastNs - firstNs),
    compute: union.compute.build(),
    device: union.device.build(),
  };
}

function addCovered(unions: ReadonlyMap<Covered, UnionBuilder>, kind: number, startNs: number, endNs: number): void {
  const role = roleOfKind(kind);
  if (role !== undefined && isCoveredRole(role)) unions.get(role)?.add(startNs, endNs);
  if (workOf(kind) === Work.copy) unions.get("copiesAny")?.add(startNs, endNs);
}

function built(unions: ReadonlyMap<Covered, UnionBuilder>): ReadonlyMap<Covered, Intervals> {
  return new Map([...unions].map(([role, union]) => [role, union.build()]));
}

function cover(covered: Covered, kinds: readonly number[], seen: Gathered): CoveredMetrics {
  const intervals = seen.busy.get(covered) ?? NO_INTERVALS;
  const busyNs = totalNs(intervals);
  const hiddenNs = totalNs(intersect(intervals, seen.compute));
  const sumOf = (column: Float64Array) => kinds.reduce((sum, kind) => sum + (column[kind] ?? 0), 0);
  const count = sumOf(seen.count);
  const sizedCount = count - sumOf(seen.unsized);
  const sized = seen.sized.get(covered) ?? NO_INTERVALS;
  return {
    count,
    sizedCount,
    bytes: count > 0 && sizedCount === 0 ? null : sumOf(seen.bytes),
    sizedBusyNs: sizedCount === count ? busyNs : totalNs(sized),
    busyNs,
    hiddenNs,
    exposedNs: busyNs - hiddenNs,
  };
}

/** Copies between host and device, whichever direction. */
const ANY_COPY_KINDS = COVERED_ROLES.flatMap(kindsOf).filter((kind) => workOf(kind) === Work.copy);
const NO_INTERVALS = new UnionBuilder().build();

/** Kernels other than collectives, memsets and device-to-device copies. */
export function isCompute(kind: number): boolean {
  return workOf(kind) === Work.compute;
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
  return kind <= EventKind.streamWait || runsOnDevice(kind);
}

/** Work of the device, as opposed to waits, calls of the host and named ranges. */
export function runsOnDevice(kind: number): boolean {
  return workOf(kind) !== Work.none;
}
