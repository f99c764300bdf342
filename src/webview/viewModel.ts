import type { EventDetails, ProfileOverview, TimelineOverview } from "../core/timeline/protocol.js";
import { clampRange, type VisibleRange } from "../core/timeline/visibleRange.js";

/** Which of the two pages below the timeline is open. */
export type BottomTab = "details" | "events";

/** What survives a hidden or reloaded tab; every member is checked when it is read back. */
interface StoredView {
  readonly run: number;
  readonly range: VisibleRange | null;
  readonly tab: BottomTab;
  readonly isSummaryOpen: boolean;
  readonly bottomPx: number;
}

/** What changed, so that a part of the page redraws only for what it shows. */
export type Change = "run" | "range" | "selection" | "tab" | "summary" | "bottom";

const TALL_ENOUGH_FOR_SUMMARY_PX = 720;
const DEFAULT_BOTTOM_PX = 148;
/** A table of two rows is no table. */
const LEAST_FOR_EVENTS_PX = 214;

/** State of the page: one run shown, a visible range, at most one selected event. Parts listen and never call each other. */
export class ViewModel {
  run: number;
  range: VisibleRange;
  tab: BottomTab;
  isSummaryOpen: boolean;
  bottomPx: number;
  selected: EventDetails | null = null;
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(
    readonly profile: ProfileOverview,
    stored: unknown,
    private readonly store: (state: StoredView) => void,
  ) {
    const kept = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<
      Record<keyof StoredView, unknown>
    >;
    this.run = isRun(kept.run, profile) ? kept.run : firstInteresting(profile);
    this.tab = kept.tab === "events" ? "events" : "details";
    this.isSummaryOpen =
      typeof kept.isSummaryOpen === "boolean" ? kept.isSummaryOpen : window.innerHeight >= TALL_ENOUGH_FOR_SUMMARY_PX;
    this.bottomPx = typeof kept.bottomPx === "number" ? kept.bottomPx : DEFAULT_BOTTOM_PX;
    this.range = isRange(kept.range) && kept.run === this.run ? clampRange(kept.range, this.whole) : this.whole;
  }

  get timeline(): TimelineOverview | null {
    return this.profile.timelines[this.run] ?? null;
  }

  get whole(): VisibleRange {
    return this.timeline?.extent ?? { fromNs: 0, toNs: 1 };
  }

  get isWholeVisible(): boolean {
    return this.range.fromNs <= this.whole.fromNs && this.range.toNs >= this.whole.toNs;
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.add(listener);
  }

  showRun(run: number): void {
    if (run === this.run || !isRun(run, this.profile)) return;
    const wasWhole = this.isWholeVisible;
    this.run = run;
    this.selected = null;
    this.range = wasWhole ? this.whole : clampRange(this.range, this.whole);
    this.changed("run");
  }

  showRange(range: VisibleRange): void {
    if (range.fromNs === this.range.fromNs && range.toNs === this.range.toNs) return;
    this.range = range;
    this.changed("range");
  }

  select(event: EventDetails | null): void {
    this.selected = event;
    this.changed("selection");
  }

  showTab(tab: BottomTab): void {
    this.tab = tab;
    if (tab === "events") this.bottomPx = Math.max(this.bottomPx, LEAST_FOR_EVENTS_PX);
    this.changed("tab");
  }

  toggleSummary(): void {
    this.isSummaryOpen = !this.isSummaryOpen;
    this.changed("summary");
  }

  resizeBottom(bottomPx: number): void {
    this.bottomPx = Math.round(Math.min(Math.max(bottomPx, 96), Math.max(96, window.innerHeight * 0.6)));
    this.changed("bottom");
  }

  private changed(change: Change): void {
    const { run, range, tab, isSummaryOpen, bottomPx } = this;
    this.store({ run, range: this.isWholeVisible ? null : range, tab, isSummaryOpen, bottomPx });
    for (const listener of this.listeners) listener(change);
  }
}

/** The first run that offloads and was recorded: the one that the user profiled for; else the first recorded one. */
function firstInteresting(profile: ProfileOverview): number {
  const runs = profile.result?.runs ?? [];
  const at = runs.findIndex((run, index) => run.strategy !== "none" && profile.timelines[index]);
  return at >= 0
    ? at
    : Math.max(
        0,
        profile.timelines.findIndex((timeline) => timeline !== null),
      );
}

function isRun(run: unknown, profile: ProfileOverview): run is number {
  return typeof run === "number" && Number.isInteger(run) && run >= 0 && run < profile.timelines.length;
}

function isRange(range: unknown): range is VisibleRange {
  if (typeof range !== "object" || range === null) return false;
  const { fromNs, toNs } = range as Partial<Record<keyof VisibleRange, unknown>>;
  return typeof fromNs === "number" && typeof toNs === "number" && toNs > fromNs;
}
