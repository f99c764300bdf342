import type { Outcome, Problem } from "../outcome.js";
import type { ProfileResult } from "../profile/result.js";
import type { EventKindValue, LaneRole, TimelineLane, TimelineSpan } from "./columns.js";
import type { Intervals } from "./intervals.js";
import type { LayerBand } from "./layerBand.js";
import type { MemorySlices } from "./memorySlices.js";
import type { TimelineMetrics } from "./metrics.js";
import type { RowSlices } from "./slices.js";

/*
 * What the editor tab's page and the extension say to each other. Columns stay with the extension; the page gets typed
 * arrays for what it can see, never JSON. Every question has an id and gets exactly one answer with that id.
 */

/** Page to extension. */
export type PageMessage =
  | { readonly type: "ready" }
  | { readonly type: "ask"; readonly id: number; readonly question: Question };

/** Extension to page. `loading` may be followed by `profile` or `problem`; both may come again when the file changes. */
export type EditorMessage =
  | { readonly type: "loading"; readonly fileName: string; readonly sizeBytes: number | null }
  | { readonly type: "profile"; readonly profile: ProfileOverview }
  | { readonly type: "problem"; readonly problem: Problem }
  | { readonly type: "answer"; readonly id: number; readonly outcome: Outcome<Answer> }
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
  "help",
] as const;
export type TimelineCommand = (typeof TIMELINE_COMMANDS)[number];

/** Everything about a profile that does not depend on the visible part. */
export interface ProfileOverview {
  readonly fileName: string;
  readonly result: ProfileResult;
  /** `timelines[i]` belongs to `result.runs[i]`; null where nothing was recorded. */
  readonly timelines: readonly (TimelineOverview | null)[];
}

export interface TimelineOverview {
  readonly extent: { readonly fromNs: number; readonly toNs: number };
  readonly eventCount: number;
  readonly lanes: readonly TimelineLane[];
  readonly strings: readonly string[];
  readonly spans: readonly TimelineSpan[];
  readonly rows: readonly RowOverview[];
  readonly layerBand: LayerBand;
  readonly metrics: TimelineMetrics;
  readonly exposed: { readonly d2h: Intervals; readonly h2d: Intervals };
  readonly memory: readonly {
    readonly of: "device" | "pinned";
    readonly peakBytes: number;
    readonly peakAtNs: number;
  }[];
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
    }
  | { readonly kind: "event"; readonly run: number; readonly event: number }
  | { readonly kind: "nearest"; readonly run: number; readonly row: number; readonly timeNs: number }
  | { readonly kind: "neighbour"; readonly run: number; readonly event: number; readonly step: 1 | -1 }
  | {
      readonly kind: "table";
      readonly run: number;
      readonly filter: TableFilter;
      readonly position: number;
      readonly count: number;
    }
  | { readonly kind: "locate"; readonly run: number; readonly filter: TableFilter; readonly event: number };

/** Which events the table lists: of one role (null: all), with `text` in the name, any case. */
export interface TableFilter {
  readonly role: LaneRole | null;
  readonly text: string;
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
  readonly bytes: number;
  /** Part of the duration that compute covered; null for anything but copies and collectives. */
  readonly hiddenNs: number | null;
  readonly waitedFor: {
    readonly event: number;
    readonly row: number;
    readonly name: string;
    readonly stream: string;
    readonly startNs: number;
    readonly endNs: number;
  } | null;
}
