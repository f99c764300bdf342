import type { Answers } from "../core/timeline/protocol.js";
import type { VisibleRange } from "../core/timeline/visibleRange.js";
import type { Connection } from "./connection.js";
import { KeepLatest } from "./keepLatest.js";
import type { ViewModel } from "./viewModel.js";

/** How much more than the visible part is fetched, on each side, in visible widths: small pans then cost nothing. */
const MARGIN = 1;

/** Boxes and curves for the visible part and for the whole step, fetched when needed, the newest wish first. */
export class ViewData {
  visible: Answers["view"] | null = null;
  whole: Answers["view"] | null = null;
  private wholeKey = "";
  private run = -1;
  private readonly visibleQueue = new KeepLatest();
  private readonly wholeQueue = new KeepLatest();

  constructor(
    private readonly connection: Connection,
    private readonly model: ViewModel,
    private readonly onArrival: () => void,
  ) {}

  /** Fetches what is missing for a plot of `plotWidth` CSS pixels. Old data stays until the new is there. */
  require(plotWidth: number): void {
    if (this.model.timeline === null || plotWidth <= 0) return;
    if (this.run !== this.model.run) {
      this.run = this.model.run;
      this.visible = this.whole = null;
      this.wholeKey = "";
    }
    const { range, whole } = this.model;
    const pixelNs = quantise((range.toNs - range.fromNs) / plotWidth);
    if (!covers(this.visible, range, pixelNs)) this.visibleQueue.run(() => this.fetchVisible(plotWidth));
    const key = `${this.run} ${plotWidth}`;
    if (this.wholeKey === key) return;
    this.wholeKey = key;
    this.wholeQueue.run(() => this.fetch(whole, (whole.toNs - whole.fromNs) / plotWidth, "whole"));
  }

  private fetchVisible(plotWidth: number): Promise<void> {
    // Read when its turn comes, not when it was queued: only the newest range matters.
    const { range, whole } = this.model;
    const span = range.toNs - range.fromNs;
    const pixelNs = quantise(span / plotWidth);
    if (covers(this.visible, range, pixelNs)) return Promise.resolve();
    const wide = {
      fromNs: Math.max(whole.fromNs, range.fromNs - span * MARGIN),
      toNs: Math.min(whole.toNs, range.toNs + span * MARGIN),
    };
    return this.fetch(wide, pixelNs, "visible");
  }

  private async fetch(span: VisibleRange, pixelNs: number, into: "visible" | "whole"): Promise<void> {
    const { run } = this.model;
    const outcome = await this.connection.ask({ kind: "view", run, ...span, pixelNs });
    if (!outcome.ok || run !== this.model.run) return;
    // The question is half open; what lies exactly at the end of the step belongs to it.
    this[into] = { ...outcome.value, fromNs: span.fromNs, toNs: span.toNs };
    this.onArrival();
  }
}

/** The power of two at or below: zooming a little does not fetch. */
function quantise(pixelNs: number): number {
  return 2 ** Math.floor(Math.log2(pixelNs));
}

function covers(view: Answers["view"] | null, range: VisibleRange, pixelNs: number): boolean {
  return view !== null && view.fromNs <= range.fromNs && view.toNs >= range.toNs && view.pixelNs === pixelNs;
}
