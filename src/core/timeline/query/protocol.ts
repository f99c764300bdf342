import type { Outcome, Problem } from "../../base/outcome.js";
import type { Line } from "../../channel.js";
import type { ProfileResult } from "../../profile/result.js";
import type {
  FlowKindValue,
  LayerSource,
  MemoryOf,
  TimelineDevice,
  TimelineLane,
  TimelineSpan,
} from "../columns/columns.js";
import type { EventKindValue } from "../columns/eventKind.js";
import type { ImportReport } from "../columns/importReport.js";
import type { LaneRole } from "../columns/laneRoles.js";
import type { LayerBand } from "../layers/layerBand.js";
import type { TimelineAnalysis } from "../metrics/analysisTypes.js";
import type { TimelineMetrics } from "../metrics/metrics.js";
import type { TimelineComparison } from "./comparisonTypes.js";
import type { Finding } from "./finding.js";
import type { LaneExposure } from "./laneExposure.js";
import type { MemorySlices } from "./memorySlices.js";
import type { PartTotals } from "./partSlices.js";
import type { RowSlices } from "./slices.js";

/*
 * What the editor tab's page and the extension say to each other. Columns stay with the extension; the page gets typed
 * arrays for what it can see, never JSON.
 */

/** The line between a page and the extension: the page asks. */
export interface PageLine extends Line {
  readonly request: Question;
  readonly answers: Answers;
  readonly progress: never;
  readonly told: PageMessage;
  readonly announced: EditorMessage;
}

/** What the page tells the extension. */
export type PageMessage =
  | { readonly type: "ready" }
  /** Stops the import that `loading` reports; answered by a `problem` with code `IMPORT_CANCELLED`. */
  | { readonly type: "cancel" }
  /** Asks for a place and writes a file there; answered by `exported`. */
  | { readonly type: "export"; readonly request: ExportRequest }
  /** The same for a picture that the page drew. */
  | { readonly type: "savePicture"; readonly png: ArrayBuffer }
  /** Lets the user choose another file; a tab of its own then compares it with those that are shown (`addedRun`). */
  | { readonly type: "addFile" }
  /** Shows the config line of a setting (`Finding.configKeys`), if an open workspace has one. */
  | { readonly type: "showSetting"; readonly key: string };

/**
 * What the extension tells the page. `loading` comes several times while a file is read, and may be followed by `profile` or `problem`; all
 * may come again when the file changes.
 */
export type EditorMessage =
  | {
      readonly type: "loading";
      readonly fileName: string;
      readonly sizeBytes: number | null;
      readonly progress?: LoadingProgress;
    }
  | { readonly type: "exported"; readonly outcome: Outcome<{ readonly path: string } | null> }
  | { readonly type: "profile"; readonly profile: ProfileOverview }
  | { readonly type: "problem"; readonly problem: Problem }
  | { readonly type: "command"; readonly command: TimelineCommand };

/** Actions that keys, the command palette and buttons share. */
export const TIMELINE_COMMANDS = [
  "zoomIn",
  "zoomOut",
  "panLeft",
  "panRight",
  "fit",
  "fitAll",
  "nextEvent",
  "previousEvent",
  "laneAbove",
  "laneBelow",
  "showDetails",
  "showEvents",
  "toggleSummary",
  "clearSelection",
  "search",
  "nextMatch",
  "previousMatch",
  "selectTime",
  "mark",
  "nextMark",
  "previousMark",
  "clearMarks",
  "pinLane",
  "foldLane",
  "moveLaneUp",
  "moveLaneDown",
  "sideBySide",
  "showMetrics",
  "showCompare",
  "showReport",
  "toggleFindings",
  "nextFinding",
  "previousFinding",
  "copy",
  "savePicture",
  "exportCsv",
  "exportChrome",
  "exportProfile",
  "addFile",
  "help",
] as const;
export type TimelineCommand = (typeof TIMELINE_COMMANDS)[number];

/** Everything about a profile that does not depend on the visible part. */
export interface ProfileOverview {
  readonly kind: "profile" | "trace";
  readonly fileName: string;
  /** null for traces. */
  readonly result: ProfileResult | null;
  /** `timelines[i]` belongs to `result.runs[i]` (null where nothing was recorded), or to `traces[i]`. */
  readonly timelines: readonly (TimelineOverview | null)[];
  /** Empty for a saved profile. Several for a folder of ranks, or after another file was added to compare. */
  readonly traces: readonly TraceOverview[];
  /** Files that were asked for beside those of `traces` and could not be read. */
  readonly unread: readonly UnreadFile[];
  /** First of `timelines` that comes from the file that was added to compare the others with; null where none was. */
  readonly addedRun: number | null;
}

/** A file of several that is not shown, and why. */
export interface UnreadFile {
  readonly fileName: string;
  readonly problem: Problem;
}

/** One file of a trace. */
export interface TraceOverview {
  readonly fileName: string;
  readonly rank: number | null;
  readonly report: ImportReport;
}

/** How far the import came; `ofBytes` is null where the size is unknown. Bytes of the file as it lies on the disk. */
export interface LoadingProgress {
  readonly readBytes: number;
  readonly ofBytes: number | null;
  readonly events: number;
  readonly phase: "reading" | "sorting" | "indexing";
}

/** `csv` holds the events that pass `filter` in the order of the table; the others hold whole timelines. */
export type ExportRequest =
  | { readonly format: "csv"; readonly run: number; readonly filter: TableFilter; readonly sort?: TableSort }
  | { readonly format: "chrome"; readonly run: number }
  | { readonly format: "offload" };

export interface TimelineOverview {
  readonly extent: { readonly fromNs: number; readonly toNs: number };
  readonly eventCount: number;
  readonly lanes: readonly TimelineLane[];
  readonly strings: readonly string[];
  readonly spans: readonly TimelineSpan[];
  readonly rows: readonly RowOverview[];
  readonly layerBand: LayerBand;
  readonly metrics: TimelineMetrics;
  /** Exposed copy time of each of `lanes`; null for those without copies between host and device. */
  readonly laneExposure: readonly (LaneExposure | null)[];
  readonly memory: readonly {
    readonly of: MemoryOf;
    readonly peakBytes: number;
    readonly peakAtNs: number;
    /** What the bytes are for, bottom to top; empty where nobody recorded it. */
    readonly parts: readonly PartTotals[];
  }[];
  readonly devices: readonly TimelineDevice[];
  /**
   * Metrics of each device for itself, in the order of `devices`; empty where there is at most one. `metrics` above then takes
   * all devices as one, which hides copies of one under compute of another.
   */
  readonly perDevice: readonly TimelineMetrics[];
  readonly rank: number | null;
  /** `record`: written by our own recorder; null where no layer was recognised. */
  readonly layerSource: LayerSource | "record" | null;
  /** By number; empty where layers have only numbers. */
  readonly layerNames: readonly string[];
  /**
   * Shift in ns that puts this timeline on the clock of `timelines[0]` (add it to this one's times): the files of several
   * ranks are aligned by their first common step, else by the clocks of their machines. 0 where nothing is known.
   */
  readonly alignNs: number;
}

export interface RowOverview {
  readonly role: LaneRole;
  readonly lane: number;
  readonly depth: number;
  readonly eventCount: number;
}

/** `event` counts in the timeline's columns, `row` in `TimelineOverview.rows`, `position` in the filtered table. */
export type Question =
  | {
      readonly kind: "view";
      readonly run: number;
      readonly fromNs: number;
      readonly toNs: number;
      readonly pixelNs: number;
      /** Rows that are in sight or near; the others may be answered without boxes. Absent: all. */
      readonly rows?: readonly number[];
    }
  | { readonly kind: "event"; readonly run: number; readonly event: number }
  | { readonly kind: "nearest"; readonly run: number; readonly row: number; readonly timeNs: number }
  | { readonly kind: "neighbour"; readonly run: number; readonly event: number; readonly step: 1 | -1 }
  | {
      readonly kind: "table";
      readonly run: number;
      readonly filter: TableFilter;
      readonly sort?: TableSort;
      readonly position: number;
      readonly count: number;
    }
  | {
      readonly kind: "locate";
      readonly run: number;
      readonly filter: TableFilter;
      readonly sort?: TableSort;
      readonly event: number;
    }
  /** The next match in order of start, after (or before) `fromEvent`, from the beginning where that is null; wraps around. */
  | {
      readonly kind: "search";
      readonly run: number;
      readonly filter: TableFilter;
      readonly fromEvent: number | null;
      readonly step: 1 | -1;
    }
  /** Marks for what passes the filter and touches `[fromNs, toNs)`, in these rows. */
  | {
      readonly kind: "matches";
      readonly run: number;
      readonly filter: TableFilter;
      readonly fromNs: number;
      readonly toNs: number;
      readonly pixelNs: number;
      readonly rows: readonly number[];
    }
  /** Sums over `[fromNs, toNs)`: events are cut at its edges. Of one device, or of all as one. */
  | {
      readonly kind: "sum";
      readonly run: number;
      readonly fromNs: number;
      readonly toNs: number;
      readonly device?: number;
    }
  | { readonly kind: "findings"; readonly run: number }
  | { readonly kind: "analysis"; readonly run: number; readonly device?: number }
  /** `run` is A (before), `with` is B. */
  | { readonly kind: "compare"; readonly run: number; readonly with: number };

/**
 * Which events the table lists: of one role (null: all), with `text` in the name, any case. What is absent does not
 * restrict; bounds are inclusive. `fromNs`, `toNs`: events that touch `[fromNs, toNs)`.
 */
export interface TableFilter {
  readonly role: LaneRole | null;
  readonly text: string;
  /** Exact name of the stream or thread. */
  readonly stream?: string;
  readonly device?: number;
  readonly layer?: number;
  readonly minDurationNs?: number;
  readonly maxDurationNs?: number;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  readonly fromNs?: number;
  readonly toNs?: number;
}

/** Absent: ascending by start. Ties keep the order of start. */
export interface TableSort {
  readonly by: "start" | "duration" | "name" | "stream" | "layer" | "bytes";
  readonly descending: boolean;
}

export interface Answers {
  readonly view: {
    readonly fromNs: number;
    readonly toNs: number;
    readonly pixelNs: number;
    readonly rows: readonly RowSlices[];
    readonly memory: readonly MemorySlices[];
  };
  readonly event: EventDetails;
  /** null where the row is empty. */
  readonly nearest: { readonly event: EventDetails | null };
  /** null at the end of the lane. */
  readonly neighbour: { readonly event: EventDetails | null };
  readonly table: { readonly total: number; readonly position: number; readonly events: readonly EventDetails[] };
  /** null where the filter leaves the event out. */
  readonly locate: { readonly position: number | null };
  /** `event` is null where nothing matches; `position` counts among the `total` matches from 0. */
  readonly search: { readonly event: EventDetails | null; readonly position: number; readonly total: number };
  /** Rows without a match are left out. */
  readonly matches: { readonly marks: readonly MatchMarks[] };
  readonly sum: RangeSum;
  /** Validity first, then by cost. `links[i]` says where `findings[i].events` are drawn. */
  readonly findings: { readonly findings: readonly Finding[]; readonly links: readonly (readonly EventLink[])[] };
  readonly analysis: TimelineAnalysis;
  readonly compare: TimelineComparison;
}

/** Stretches of one row in which events match, in order; ns. */
export interface MatchMarks {
  readonly row: number;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
}

/** What lies in a span of time, events cut at its edges; `metrics.spanNs` is the length of the span. */
export interface RangeSum extends TimelineAnalysis {
  readonly fromNs: number;
  readonly toNs: number;
  readonly roles: readonly RoleSum[];
}

export interface RoleSum {
  readonly role: LaneRole;
  readonly count: number;
  /** Of what has a size. */
  readonly bytes: number;
  /** Sum of the durations: overlapping events count twice. */
  readonly durationNs: number;
}
export type Answer = Answers[keyof Answers];
export type AnswerTo<Q extends Question> = Answers[Q["kind"]];

/** One event in full. */
export interface EventDetails {
  readonly event: number;
  readonly row: number;
  readonly role: LaneRole;
  readonly stream: string;
  readonly kind: EventKindValue;
  readonly name: string;
  /** -1 where it belongs to no layer. */
  readonly layer: number;
  readonly startNs: number;
  readonly durationNs: number;
  /** null for a copy whose size was not recorded. */
  readonly bytes: number | null;
  /** Part of the duration that compute covered; null for anything but copies and collectives. */
  readonly hiddenNs: number | null;
  readonly waitedFor: EventLink | null;
  /** Events at the other ends of this one's arrows, at most `MAX_LINKS`. */
  readonly flows: readonly FlowLink[];
  readonly device: number | null;
  /** What the trace calls the process; null where it does not say. */
  readonly process: string | null;
  /** 0 for none. */
  readonly correlation: number;
}

/** Another event, with what is needed to draw an arrow to it. */
export interface EventLink {
  readonly event: number;
  readonly row: number;
  readonly name: string;
  readonly stream: string;
  readonly startNs: number;
  readonly endNs: number;
}

export interface FlowLink extends EventLink {
  readonly kind: FlowKindValue;
  /** `to`: the arrow goes from the asked event to this one. */
  readonly direction: "to" | "from";
}

export const MAX_LINKS = 64;
