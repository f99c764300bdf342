import type { Answers } from "../../../core/timeline/query/protocol.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import type { Connection } from "../connection.js";
import { type PreparedView, prepareView } from "../draw/preparedView.js";
import type { NearRows } from "../geometry.js";
import type { ViewModel } from "./viewModel.js";

/** How much more than the visible part is fetched, on each side, in visible widths: small pans then cost nothing. */
const MARGIN = 1;
const NO_ROWS: NearRows = { onScreen: [], near: [] };

/**
 * Boxes and curves of one run, for the visible part and for everything, fetched when needed, the newest wish first. Times in
 * the answers are the run's own; those of `prepared` are on the clock of the run in front.
 */
class RunData {
  whole: Answers["view"] | null = null;
  private answer: Answers["view"] | null = null;
  /** Rows that the answer holds boxes of. */
  private answered: ReadonlySet<number> = new Set();
  private rows: NearRows = { onScreen: [], near: [] };
  private prepared: PreparedView | null = null;
  private shiftNs = 0;
  private wholePx = 0;
  private readonly visibleQueue = new KeepLatest();
  private readonly wholeQueue = new KeepLatest();

  constructor(
    private readonly run: number,
    private readonly connection: Connection,
    private readonly model: ViewModel,
    private readonly onArrival: () => void,
  ) {}

  require(plotWidth: number, rows: NearRows, needsWhole: boolean): void {
    this.rows = rows;
    const shiftNs = this.model.shiftOf(this.run);
    if (shiftNs !== this.shiftNs) {
      this.shiftNs = shiftNs;
      this.prepared = null;
    }
    if (!this.isCovered(plotWidth)) this.visibleQueue.run(() => this.fetchVisible(plotWidth));
    if (!needsWhole || this.wholePx === plotWidth) return;
    this.wholePx = plotWidth;
    this.wholeQueue.run(() => this.fetchWhole(plotWidth));
  }

  /** Prepared when it is first drawn: an answer that a newer one overtakes costs nothing. */
  get visible(): PreparedView | null {
    if (this.prepared === null && this.answer !== null)
      this.prepared = prepareView(this.answer, this.model.profile.timelines[this.run]?.rows ?? [], this.shiftNs);
    return this.prepared;
  }

  private ownRange(): VisibleRange {
    const { range } = this.model;
    return { fromNs: range.fromNs - this.shiftNs, toNs: range.toNs - this.shiftNs };
  }

  private isCovered(plotWidth: number): boolean {
    const range = this.ownRange();
    const view = this.answer;
    if (view === null) return false;
    const pixelNs = quantise((range.toNs - range.fromNs) / plotWidth);
    const isWideEnough = view.fromNs <= range.fromNs && view.toNs >= range.toNs && view.pixelNs === pixelNs;
    return isWideEnough && this.rows.onScreen.every((row) => this.answered.has(row));
  }

  private async fetchVisible(plotWidth: number): Promise<void> {
    // Read when its turn comes, not when it was queued: only the newest range matters.
    if (this.isCovered(plotWidth)) return;
    const range = this.ownRange();
    const span = range.toNs - range.fromNs;
    const pixelNs = quantise(span / plotWidth);
    const wide = { fromNs: range.fromNs - span * MARGIN, toNs: range.toNs + span * MARGIN };
    const rows = this.rows.near;
    const outcome = await this.connection.ask({ kind: "view", run: this.run, ...wide, pixelNs, rows });
    if (!outcome.ok) return;
    this.answered = new Set(rows);
    this.answer = { ...outcome.value, ...wide, pixelNs };
    this.prepared = null;
    this.onArrival();
  }

  private async fetchWhole(plotWidth: number): Promise<void> {
    const extent = this.model.profile.timelines[this.run]?.extent;
    if (extent === undefined) return;
    const pixelNs = (extent.toNs - extent.fromNs) / plotWidth;
    const outcome = await this.connection.ask({ kind: "view", run: this.run, ...extent, pixelNs });
    if (!outcome.ok) return;
    this.whole = outcome.value;
    this.onArrival();
  }
}

/** The data of all runs on the canvas. Old data stays until the new is there. */
export class ViewData {
  private readonly runs = new Map<number, RunData>();

  constructor(
    private readonly connection: Connection,
    private readonly model: ViewModel,
    private readonly onArrival: () => void,
  ) {}

  /** Fetches what is missing for a plot of `plotWidth` CSS pixels and the rows of each run that are in sight. */
  require(plotWidth: number, rows: ReadonlyMap<number, NearRows>): void {
    if (plotWidth <= 0) return;
    for (const run of this.model.shownRuns)
      if (this.model.profile.timelines[run] !== null)
        this.of(run).require(plotWidth, rows.get(run) ?? NO_ROWS, run === this.model.run);
  }

  visible(run: number): PreparedView | null {
    return this.runs.get(run)?.visible ?? null;
  }

  /** Everything of the run in front, for the strip above. */
  get whole(): Answers["view"] | null {
    return this.runs.get(this.model.run)?.whole ?? null;
  }

  private of(run: number): RunData {
    const known = this.runs.get(run);
    if (known !== undefined) return known;
    const made = new RunData(run, this.connection, this.model, this.onArrival);
    this.runs.set(run, made);
    return made;
  }
}

/** The power of two at or below: zooming a little does not fetch. */
function quantise(pixelNs: number): number {
  return 2 ** Math.floor(Math.log2(pixelNs));
}
