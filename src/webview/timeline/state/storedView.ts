import type { LaneArrangement } from "../../../core/timeline/columns/laneOrder.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";

/** Pages below the timeline, in the order of their tabs. */
export const BOTTOM_TABS = ["details", "events", "metrics", "compare", "report"] as const;
export type BottomTab = (typeof BOTTOM_TABS)[number];

/** What survives a hidden or reloaded tab. */
export interface StoredView {
  readonly run: number;
  /** Absent: everything was visible. */
  readonly range?: VisibleRange;
  readonly tab: BottomTab;
  readonly isSummaryOpen: boolean;
  /** Absent: the user has not decided. */
  readonly isSideOpen?: boolean;
  readonly isStacked: boolean;
  readonly bottomPx: number;
  readonly arrangement: LaneArrangement;
  readonly marks: readonly number[];
  readonly area?: VisibleRange;
  readonly selected?: KeptEvent;
}

/** A selected event: its number, and its start to tell whether the file still has it there. */
export interface KeptEvent {
  readonly event: number;
  readonly startNs: number;
}

/** Members of a stored view that are what they should be; `arrangement` is checked by its own reader. */
export type KeptView = { readonly [K in Exclude<keyof StoredView, "arrangement">]?: StoredView[K] | undefined } & {
  readonly arrangement?: unknown;
};

/** Reads a view back: another version of the page may have stored it, so that every member is checked. */
export function readStoredView(stored: unknown): KeptView {
  if (typeof stored !== "object" || stored === null) return {};
  const kept = stored as Partial<Record<keyof StoredView, unknown>>;
  return {
    run: number(kept.run),
    range: isRange(kept.range) ? kept.range : undefined,
    tab: BOTTOM_TABS.find((tab) => tab === kept.tab),
    isSummaryOpen: flag(kept.isSummaryOpen),
    isSideOpen: flag(kept.isSideOpen),
    isStacked: flag(kept.isStacked),
    bottomPx: number(kept.bottomPx),
    arrangement: kept.arrangement,
    marks: Array.isArray(kept.marks) ? kept.marks.filter((ns) => Number.isFinite(ns)) : undefined,
    area: isRange(kept.area) ? kept.area : undefined,
    selected: isKeptEvent(kept.selected) ? kept.selected : undefined,
  };
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function isKeptEvent(selected: unknown): selected is KeptEvent {
  if (typeof selected !== "object" || selected === null) return false;
  const { event, startNs } = selected as Partial<Record<keyof KeptEvent, unknown>>;
  return Number.isInteger(event) && number(startNs) !== undefined;
}

function isRange(range: unknown): range is VisibleRange {
  if (typeof range !== "object" || range === null) return false;
  const { fromNs, toNs } = range as Partial<Record<keyof VisibleRange, unknown>>;
  return typeof fromNs === "number" && typeof toNs === "number" && toNs > fromNs;
}
