import { type LaneArrangement, readArrangement } from "../../../core/timeline/columns/laneOrder.js";
import type {
  EventDetails,
  ProfileOverview,
  TableFilter,
  TableSort,
  TimelineOverview,
} from "../../../core/timeline/query/protocol.js";
import { clampRange, type VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import { BOTTOM_TABS, type BottomTab, type KeptEvent, readStoredView, type StoredView } from "./storedView.js";

/** What changed, so that a part of the page redraws only for what it shows. */
export type Change =
  | "run"
  | "range"
  | "selection"
  | "area"
  | "tab"
  | "summary"
  | "bottom"
  | "side"
  | "lanes"
  | "marks"
  | "filter"
  | "finding";

/** A selected stretch of time on the clock of the shown run. */
export type TimeArea = VisibleRange;

const TALL_ENOUGH_FOR_SUMMARY_PX = 720;
const WIDE_ENOUGH_FOR_SIDE_PX = 1240;
const LEAST_BOTTOM_PX = 96;
/** A table of two rows is no table. */
const LEAST_FOR_TABLES_PX = 214;
const MOST_MARKS = 100;

/**
 * State of the page: one run in front, or all of them side by side; a visible range, at most one selected event and one
 * selected stretch of time. All times are on the clock of the run in front. Parts listen and never call each other.
 */
export class ViewModel {
  run: number;
  range: VisibleRange;
  tab: BottomTab;
  isSummaryOpen: boolean;
  isSideOpen: boolean;
  /** All runs below each other on one clock. */
  isStacked: boolean;
  bottomPx: number;
  arrangement: LaneArrangement;
  marks: readonly number[];
  selected: EventDetails | null = null;
  /** What was selected before the page was reloaded, until it is selected again or given up. */
  keptSelection: KeptEvent | null;
  area: TimeArea | null;
  /** What the table lists and the search finds, without the selected stretch of time. */
  filter: TableFilter = { role: null, text: "" };
  /** The table keeps to the selected stretch of time. */
  isTableInArea = true;
  sort: TableSort = { by: "start", descending: false };
  /** Index of the finding that is pointed at, in the answer to the question `findings`. */
  finding: number | null = null;
  private opensSide: boolean;
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(
    readonly profile: ProfileOverview,
    stored: unknown,
    private readonly store: (state: StoredView) => void,
  ) {
    const kept = readStoredView(stored);
    const isKeptRun = kept.run !== undefined && this.isRun(kept.run);
    this.run = isKeptRun && kept.run !== undefined ? kept.run : (profile.addedRun ?? firstInteresting(profile));
    this.tab = kept.tab ?? (profile.addedRun === null ? "details" : "compare");
    this.isSummaryOpen = kept.isSummaryOpen ?? window.innerHeight >= TALL_ENOUGH_FOR_SUMMARY_PX;
    this.isSideOpen = kept.isSideOpen ?? false;
    this.opensSide = kept.isSideOpen === undefined && window.innerWidth >= WIDE_ENOUGH_FOR_SIDE_PX;
    this.isStacked = (kept.isStacked ?? false) && profile.timelines.length > 1;
    const usualPx = Math.max(LEAST_BOTTOM_PX + 8, Math.min(148, Math.round(window.innerHeight * 0.18)));
    this.bottomPx = kept.bottomPx ?? Math.max(usualPx, leastPxOf(this.tab));
    this.arrangement = readArrangement(kept.arrangement);
    this.marks = isKeptRun ? (kept.marks ?? []) : [];
    this.area = isKeptRun ? (kept.area ?? null) : null;
    this.keptSelection = isKeptRun ? (kept.selected ?? null) : null;
    this.range = kept.range !== undefined && isKeptRun ? clampRange(kept.range, this.whole) : this.whole;
  }

  get timeline(): TimelineOverview | null {
    return this.profile.timelines[this.run] ?? null;
  }

  /** Runs on the canvas, from top to bottom. */
  get shownRuns(): readonly number[] {
    if (!this.isStacked) return [this.run];
    return this.profile.timelines.flatMap((timeline, run) => (timeline === null ? [] : [run]));
  }

  /** What to add to a time of `run` to have it on the clock of the run in front, ns. */
  shiftOf(run: number): number {
    const { timelines } = this.profile;
    return (timelines[run]?.alignNs ?? 0) - (timelines[this.run]?.alignNs ?? 0);
  }

  get whole(): VisibleRange {
    let fromNs = Infinity;
    let toNs = -Infinity;
    for (const run of this.shownRuns) {
      const extent = this.profile.timelines[run]?.extent;
      if (extent === undefined) continue;
      fromNs = Math.min(fromNs, extent.fromNs + this.shiftOf(run));
      toNs = Math.max(toNs, extent.toNs + this.shiftOf(run));
    }
    return toNs > fromNs ? { fromNs, toNs } : { fromNs: 0, toNs: 1 };
  }

  get isWholeVisible(): boolean {
    return this.range.fromNs <= this.whole.fromNs && this.range.toNs >= this.whole.toNs;
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.add(listener);
  }

  showRun(run: number): void {
    if (run === this.run || !this.isRun(run)) return;
    const wasWhole = this.isWholeVisible;
    const shiftNs = -this.shiftOf(run);
    this.run = run;
    this.selected = this.finding = this.keptSelection = null;
    this.area = this.area && shifted(this.area, shiftNs);
    this.marks = this.marks.map((ns) => ns + shiftNs);
    this.range = wasWhole ? this.whole : clampRange(shifted(this.range, shiftNs), this.whole);
    this.changed("run");
  }

  toggleStacked(): void {
    if (this.profile.timelines.length < 2) return;
    const wasWhole = this.isWholeVisible;
    this.isStacked = !this.isStacked;
    this.range = wasWhole ? this.whole : clampRange(this.range, this.whole);
    this.changed("lanes");
  }

  showRange(range: VisibleRange): void {
    if (range.fromNs === this.range.fromNs && range.toNs === this.range.toNs) return;
    this.range = range;
    this.changed("range");
  }

  select(event: EventDetails | null): void {
    this.selected = event;
    this.finding = this.keptSelection = null;
    this.changed("selection");
  }

  selectArea(area: TimeArea | null): void {
    if (area === this.area) return;
    this.area = area;
    this.changed("area");
  }

  /** `filter` with the selected stretch of time, as the table and the search use it. */
  get activeFilter(): TableFilter {
    return this.area === null || !this.isTableInArea ? this.filter : { ...this.filter, ...this.area };
  }

  narrow(filter: TableFilter, isTableInArea = this.isTableInArea): void {
    this.filter = filter;
    this.isTableInArea = isTableInArea;
    this.changed("filter");
  }

  sortBy(sort: TableSort): void {
    this.sort = sort;
    this.changed("filter");
  }

  pointAtFinding(finding: number | null): void {
    this.finding = finding;
    this.changed("finding");
  }

  arrange(arrangement: LaneArrangement): void {
    this.arrangement = arrangement;
    this.changed("lanes");
  }

  mark(ns: number): void {
    this.marks = [...new Set([...this.marks, ns])].sort((a, b) => a - b).slice(0, MOST_MARKS);
    this.changed("marks");
  }

  clearMarks(): void {
    this.marks = [];
    this.changed("marks");
  }

  showTab(tab: BottomTab): void {
    this.tab = tab;
    this.bottomPx = Math.max(this.bottomPx, leastPxOf(tab));
    this.changed("tab");
  }

  toggleSummary(): void {
    this.isSummaryOpen = !this.isSummaryOpen;
    this.changed("summary");
  }

  /** Something was found: the list opens where there is room, unless the user has decided about it. */
  offerSide(): void {
    if (this.opensSide && !this.isSideOpen) this.toggleSide();
  }

  toggleSide(): void {
    this.opensSide = false;
    this.isSideOpen = !this.isSideOpen;
    this.changed("side");
  }

  resizeBottom(bottomPx: number): void {
    const most = Math.max(LEAST_BOTTOM_PX, window.innerHeight * 0.6);
    this.bottomPx = Math.round(Math.min(Math.max(bottomPx, LEAST_BOTTOM_PX), most));
    this.changed("bottom");
  }

  /** The tabs below the timeline that this file has something for. */
  get tabs(): readonly BottomTab[] {
    const { timelines, traces } = this.profile;
    return BOTTOM_TABS.filter((tab) => {
      if (tab === "compare") return timelines.length > 1 || traces.length > 0;
      return tab !== "report" || traces.length > 0;
    });
  }

  private isRun(run: number): boolean {
    return Number.isInteger(run) && run >= 0 && run < this.profile.timelines.length;
  }

  private changed(change: Change): void {
    const { run, range, tab, isSummaryOpen, isStacked, bottomPx, arrangement, marks, area } = this;
    const kept = { run, tab, isSummaryOpen, isStacked, bottomPx, arrangement, marks };
    const side = this.opensSide ? {} : { isSideOpen: this.isSideOpen };
    const { event, startNs } = this.selected ?? this.keptSelection ?? { event: -1, startNs: 0 };
    const selection = { ...(event >= 0 && { selected: { event, startNs } }), ...(area !== null && { area }) };
    this.store({ ...kept, ...side, ...selection, ...(!this.isWholeVisible && { range }) });
    for (const listener of this.listeners) listener(change);
  }
}

/** What a tab needs to be read, as far as the window has it. */
function leastPxOf(tab: BottomTab): number {
  if (tab === "details") return 0;
  const room = Math.max(LEAST_BOTTOM_PX, window.innerHeight * 0.38);
  return Math.min(LEAST_FOR_TABLES_PX, Math.round(room));
}

/** The first run that offloads and was recorded: the one that the user profiled for; else the first recorded one. */
function firstInteresting(profile: ProfileOverview): number {
  const runs = profile.result?.runs ?? [];
  const at = runs.findIndex((run, index) => run.strategy !== "none" && profile.timelines[index]);
  const recorded = profile.timelines.findIndex((timeline) => timeline !== null);
  return at >= 0 ? at : Math.max(0, recorded);
}

function shifted(range: VisibleRange, byNs: number): VisibleRange {
  return { fromNs: range.fromNs + byNs, toNs: range.toNs + byNs };
}
