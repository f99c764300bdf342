import type { Problem } from "../base/outcome.js";
import type { Timeline } from "./columns/columns.js";
import type { ImportReport } from "./columns/importReport.js";
import { type CoveredMetrics, measureTimeline, type TimelineMetrics } from "./metrics/metrics.js";
import type { Finding } from "./query/finding.js";

/** What `trace --json` prints for one timeline (the headless interface: stable). */
export interface TraceJson {
  readonly file: string;
  /** Strategy of a run of a saved profile; absent for traces. */
  readonly run?: string;
  readonly rank: number | null;
  readonly events: Pick<ImportReport, "total" | "kept" | "repaired" | "overlapped" | "dropped">;
  readonly devices: readonly DeviceJson[];
  readonly findings: readonly FindingJson[];
  /** Why this one of several files could not be read; everything else is then empty. */
  readonly problem?: Problem;
}

/** `bytes` is null where there are copies and of none the size is known. */
type Covered = Pick<CoveredMetrics, "count" | "bytes" | "busyNs" | "hiddenNs" | "exposedNs"> & {
  /** How many copies have a size that is known, and how long they are busy; absent where all have. `bytes` is of these alone. */
  readonly sizedCount?: number;
  readonly sizedBusyNs?: number;
};

export interface DeviceJson {
  readonly device: number;
  readonly name: string;
  readonly spanNs: number;
  readonly computeBusyNs: number;
  readonly idleNs: number;
  readonly counts: TimelineMetrics["counts"];
  readonly d2h: Covered;
  readonly h2d: Covered;
  readonly copiesAny: Pick<Covered, "busyNs" | "hiddenNs" | "exposedNs">;
  readonly collective: Pick<Covered, "count" | "busyNs" | "hiddenNs" | "exposedNs">;
}

export type FindingJson = Omit<Finding, "arrow"> & { readonly arrow: Finding["arrow"] };

/** Metrics of every device of a timeline; a timeline without numbered devices counts as one device 0. */
export function describeTrace(
  title: { readonly file: string; readonly run: string | null },
  timeline: Timeline,
  report: ImportReport | null,
  findings: readonly Finding[],
): TraceJson {
  const count = timeline.events.startNs.length;
  const { total, kept, repaired, overlapped, dropped } = report ?? {
    total: count,
    kept: count,
    repaired: 0,
    overlapped: 0,
    dropped: 0,
  };
  return {
    file: title.file,
    ...(title.run === null ? {} : { run: title.run }),
    rank: timeline.rank ?? null,
    events: { total, kept, repaired, overlapped, dropped },
    devices: devicesOf(timeline).map(({ device, name }) => ({ device, name, ...measured(timeline, device) })),
    findings,
  };
}

/** What is printed in the place of a file of several that could not be read. */
export function describeUnread(file: string, problem: Problem): TraceJson {
  const events = { total: 0, kept: 0, repaired: 0, overlapped: 0, dropped: 0 };
  return { file, rank: null, events, devices: [], findings: [], problem };
}

/** The devices of a timeline; one of our own profiles has a single one without a number. */
export function devicesOf(timeline: Timeline): readonly { readonly device: number; readonly name: string }[] {
  const { devices } = timeline;
  return devices === undefined || devices.length === 0 ? [{ device: 0, name: "" }] : devices;
}

function measured(timeline: Timeline, device: number): Omit<DeviceJson, "device" | "name"> {
  const { metrics } = measureTimeline(timeline, { device });
  const { spanNs, computeBusyNs, idleNs, counts, d2h, h2d, copiesAny, collective } = metrics;
  return {
    spanNs,
    computeBusyNs,
    idleNs,
    counts,
    d2h: coveredOf(d2h),
    h2d: coveredOf(h2d),
    copiesAny: { busyNs: copiesAny.busyNs, hiddenNs: copiesAny.hiddenNs, exposedNs: copiesAny.exposedNs },
    collective: {
      count: collective.count,
      busyNs: collective.busyNs,
      hiddenNs: collective.hiddenNs,
      exposedNs: collective.exposedNs,
    },
  };
}

function coveredOf({ count, sizedCount, sizedBusyNs, bytes, busyNs, hiddenNs, exposedNs }: CoveredMetrics): Covered {
  const sized = sizedCount === count ? {} : { sizedCount, sizedBusyNs };
  return { count, bytes, busyNs, hiddenNs, exposedNs, ...sized };
}
