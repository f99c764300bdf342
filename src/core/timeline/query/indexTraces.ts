import { runTitle } from "../../profile/runFigures.js";
import type { Timeline } from "../columns/columns.js";
import type { ImportReport } from "../columns/importReport.js";
import type { NamedTrace } from "../container/traceContainer.js";
import { type IndexedProfile, indexTimeline } from "./indexedTimeline.js";

/** One timeline with what it is called. `report` is null for a run of a saved profile. */
export interface TraceInput {
  readonly fileName: string;
  readonly timeline: Timeline;
  readonly report: ImportReport | null;
}

/** One or more traces side by side, on the clock of the first one. */
export function indexTraces(inputs: readonly TraceInput[]): IndexedProfile {
  const [first] = inputs;
  const timelines = inputs.map(({ timeline, report }) =>
    indexTimeline(timeline, first === undefined ? 0 : alignment(first.timeline, timeline), report),
  );
  const traces = inputs.map(({ fileName, timeline, report }) => ({
    fileName,
    rank: timeline.rank ?? null,
    report: report ?? plainReport(timeline),
  }));
  return { kind: "trace", result: null, timelines, traces };
}

/**
 * What has to be added to the times of `other` to put them on the clock of `first`: their first common step begins at the same
 * time; without marked steps the clocks of the machines count, if the recordings overlap by them; else both begin at 0.
 */
export function alignment(first: Timeline, other: Timeline): number {
  if (first === other) return 0;
  const steps = new Map(
    first.spans.flatMap((span) => (span.kind === "step" ? [[span.label, span.startNs] as const] : [])),
  );
  for (const span of other.spans) {
    const common = span.kind === "step" ? steps.get(span.label) : undefined;
    if (common !== undefined) return common - span.startNs;
  }
  if (first.originUnixNs === undefined || other.originUnixNs === undefined) return 0;
  const shift = Number(other.originUnixNs - first.originUnixNs);
  return shift < lastStart(first) && -shift < lastStart(other) ? shift : 0;
}

/** Everything that a tab shows, to be saved: runs of a profile are called by their strategies. */
export function namedTraces({ timelines, traces, result }: IndexedProfile): NamedTrace[] {
  return timelines.flatMap((indexed, at) => {
    if (indexed === null) return [];
    const { timeline } = indexed;
    const run = result?.runs[at];
    const fileName = traces[at]?.fileName ?? (run === undefined ? `run ${at}` : runTitle(run));
    return [{ fileName, report: traces[at]?.report ?? plainReport(timeline), timeline }];
  });
}

function lastStart({ events }: Timeline): number {
  return events.startNs.at(-1) ?? 0;
}

/** The report of what was never imported. */
export function plainReport({ events }: Timeline): ImportReport {
  const count = events.startNs.length;
  return {
    format: "offload",
    total: count,
    kept: count,
    repaired: 0,
    overlapped: 0,
    dropped: 0,
    lines: [],
    textBytes: 0,
    isTruncated: false,
  };
}
