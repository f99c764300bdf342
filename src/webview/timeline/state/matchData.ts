import { isSearch } from "../../../core/timeline/query/matchMarks.js";
import type { MatchMarks, TableFilter } from "../../../core/timeline/query/protocol.js";
import type { VisibleRange } from "../../../core/timeline/query/visibleRange.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import type { Connection } from "../connection.js";
import type { ViewModel } from "./viewModel.js";

interface Fetched extends VisibleRange {
  readonly run: number;
  readonly filter: TableFilter;
  readonly pixelNs: number;
  readonly rows: readonly number[];
  readonly marks: readonly MatchMarks[];
}

/** Where the matches of the search lie in what is visible of the run in front; nothing while nothing is searched. */
export class MatchData {
  private fetched: Fetched | null = null;
  private readonly queue = new KeepLatest();

  constructor(
    private readonly connection: Connection,
    private readonly model: ViewModel,
    private readonly onArrival: () => void,
  ) {}

  /** Marks for the present filter; those of a wider view serve until the new ones are here. */
  get marks(): readonly MatchMarks[] {
    const { fetched, model } = this;
    if (fetched === null || fetched.run !== model.run || !isSearch(model.filter)) return [];
    return isSame(fetched.filter, model.activeFilter) ? fetched.marks : [];
  }

  /** Fetches what is missing for a plot of `plotWidth` CSS pixels and these rows. */
  require(plotWidth: number, rows: readonly number[]): void {
    if (plotWidth <= 0 || !isSearch(this.model.filter) || this.isCovered(plotWidth, rows)) return;
    this.queue.run(async () => {
      if (this.isCovered(plotWidth, rows)) return;
      const { run, activeFilter: filter, range } = this.model;
      const span = range.toNs - range.fromNs;
      const wide = { fromNs: range.fromNs - span, toNs: range.toNs + span };
      const asked = { run, filter, ...wide, pixelNs: span / plotWidth, rows };
      const outcome = await this.connection.ask({ kind: "matches", ...asked });
      if (!outcome.ok) return;
      this.fetched = { ...asked, marks: outcome.value.marks };
      this.onArrival();
    });
  }

  private isCovered(plotWidth: number, rows: readonly number[]): boolean {
    const { fetched, model } = this;
    if (fetched === null || fetched.run !== model.run || !isSame(fetched.filter, model.activeFilter)) return false;
    const { fromNs, toNs } = model.range;
    const pixelNs = (toNs - fromNs) / plotWidth;
    const isFine = fetched.pixelNs <= pixelNs * 1.5 && fetched.pixelNs >= pixelNs / 4;
    return (
      isFine && fetched.fromNs <= fromNs && fetched.toNs >= toNs && rows.every((row) => fetched.rows.includes(row))
    );
  }
}

function isSame(one: TableFilter, other: TableFilter): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
