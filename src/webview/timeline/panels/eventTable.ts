import { counted, formatBytes, formatNs, formatRate } from "../../../core/base/quantities.js";
import { ROLE_NAMES } from "../../../core/timeline/columns/laneWork.js";
import { NOT_RECORDED } from "../../../core/timeline/metrics/copySizes.js";
import type { EventDetails, TableSort } from "../../../core/timeline/query/protocol.js";
import { element, setAttributes, setText } from "../../kit/element.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import { VirtualRows } from "../../kit/virtualRows.js";
import type { Connection } from "../connection.js";
import type { ViewModel } from "../state/viewModel.js";
import { meaningOf } from "../theme.js";
import { createTableFilters, type TableFilters } from "./tableFilters.js";

const ROW_PX = 22;

interface Column {
  readonly label: string;
  readonly kind: "text" | "number";
  readonly text: (event: EventDetails) => string;
  readonly sort?: TableSort["by"];
}

const COLUMNS: readonly Column[] = [
  { label: "Start", kind: "number", text: (event) => formatNs(event.startNs), sort: "start" },
  { label: "Duration", kind: "number", text: (event) => formatNs(event.durationNs), sort: "duration" },
  { label: "Lane", kind: "text", text: (event) => ROLE_NAMES[event.role] },
  { label: "Stream", kind: "text", text: (event) => event.stream, sort: "stream" },
  { label: "Name", kind: "text", text: (event) => event.name, sort: "name" },
  { label: "Kind", kind: "text", text: (event) => meaningOf(event.kind) },
  { label: "Layer", kind: "number", text: (event) => (event.layer < 0 ? "" : String(event.layer)), sort: "layer" },
  {
    label: "Bytes",
    kind: "number",
    text: ({ bytes }) => (bytes === null ? NOT_RECORDED : bytes > 0 ? formatBytes(bytes) : ""),
    sort: "bytes",
  },
  {
    label: "Rate",
    kind: "number",
    text: (event) => (event.hiddenNs === null ? "" : formatRate(event.bytes ?? 0, event.durationNs)),
  },
  {
    label: "Exposed",
    kind: "number",
    text: (event) => (event.hiddenNs === null ? "" : formatNs(event.durationNs - event.hiddenNs)),
  },
  { label: "Waited for", kind: "text", text: (event) => event.waitedFor?.name ?? "" },
];

/** The canvas as a table: the same events, the same selection. Only the rows in sight exist. */
export class EventTable {
  readonly root: HTMLElement;
  private readonly rows: VirtualRows;
  private readonly scroller = element("div", { class: "grid-scroller" });
  private readonly count = element("span", { class: "muted" });
  private readonly grid: HTMLElement;
  private readonly pages = new KeepLatest();
  private readonly headers: HTMLElement[] = [];
  private readonly filters: TableFilters;
  private position: number | null = null;

  constructor(
    private readonly model: ViewModel,
    private readonly connection: Connection,
    private readonly onOpen: (event: EventDetails) => void,
    onEnter: (step: 1 | -1) => void,
  ) {
    this.scroller.append(this.createHead());
    this.rows = new VirtualRows(this.scroller, {
      rowPx: ROW_PX,
      headPx: ROW_PX,
      role: "rowgroup",
      onMove: () => this.load(),
    });
    this.grid = element(
      "div",
      { class: "grid", role: "grid", tabindex: 0, "aria-label": "Events", "aria-colcount": COLUMNS.length },
      this.scroller,
    );
    this.filters = createTableFilters(model, this.count, onEnter);
    this.root = element("div", { class: "events" }, this.filters.root, this.grid);
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    model.listen((change) => {
      if (change === "run" || change === "filter" || (change === "area" && model.isTableInArea)) this.reset();
      if (change === "selection" || change === "tab" || change === "filter") void this.follow();
    });
    this.showSort();
  }

  /** Puts the cursor into the field of the name. */
  focusSearch(): void {
    this.filters.focus();
  }

  private createHead(): HTMLElement {
    const head = element("div", { class: "grid-row grid-head", role: "row", "aria-rowindex": 1 });
    for (const { label, kind, sort } of COLUMNS) {
      const header = element("span", { role: "columnheader", class: kind });
      if (sort === undefined) header.append(label);
      else {
        const button = element(
          "button",
          { type: "button", class: "sort", title: `Sort by ${label.toLowerCase()}` },
          label,
        );
        button.addEventListener("click", () => this.sortBy(sort));
        header.append(button);
      }
      this.headers.push(header);
      head.append(header);
    }
    return element("div", { role: "rowgroup", class: "grid-heads" }, head);
  }

  private sortBy(by: TableSort["by"]): void {
    const { sort } = this.model;
    // Long, large and last first: that is what one looks for.
    const first = by === "duration" || by === "bytes";
    this.model.sortBy({ by, descending: sort.by === by ? !sort.descending : first });
    this.showSort();
  }

  private showSort(): void {
    const { sort } = this.model;
    COLUMNS.forEach((column, at) => {
      const isSorted = column.sort === sort.by;
      const direction = sort.descending ? "descending" : "ascending";
      const header = this.headers[at];
      if (header === undefined || column.sort === undefined) return;
      setAttributes(header, { "aria-sort": isSorted ? direction : "none" });
      const button = header.firstElementChild;
      if (button !== null) setText(button, isSorted ? `${column.label} ${sort.descending ? "▾" : "▴"}` : column.label);
    });
  }

  private reset(): void {
    this.rows.toStart();
    this.position = null;
    this.load();
  }

  private get isShown(): boolean {
    return this.model.tab === "events" && this.model.timeline !== null;
  }

  /** Scrolls to the selected event, where the filter lets it through. */
  private async follow(): Promise<void> {
    if (!this.isShown) return;
    const { selected, run, activeFilter: filter, sort } = this.model;
    this.position = null;
    if (selected !== null) {
      const outcome = await this.connection.ask({ kind: "locate", run, filter, sort, event: selected.event });
      this.position = outcome.ok ? outcome.value.position : null;
    }
    if (this.rows.total === 0) await this.fetch();
    if (this.position !== null) this.rows.reveal(this.position, "middle");
    this.load();
  }

  private load(): void {
    if (this.isShown) this.pages.run(() => this.fetch());
  }

  private async fetch(): Promise<void> {
    const { run, activeFilter: filter, sort } = this.model;
    const { first, count } = this.rows.wanted;
    const outcome = await this.connection.ask({ kind: "table", run, filter, sort, position: first, count });
    if (!outcome.ok || run !== this.model.run) return;
    const { total, position, events } = outcome.value;
    this.rows.total = total;
    setText(this.count, counted(total, "event"));
    this.grid.setAttribute("aria-rowcount", String(total + 1));
    this.grid.removeAttribute("aria-activedescendant");
    this.rows.show(
      position,
      events.map((event, at) => this.createRow(event, position + at)),
    );
  }

  private createRow(event: EventDetails, position: number): HTMLElement {
    const isSelected = event.event === this.model.selected?.event;
    const row = element("div", {
      class: "grid-row",
      role: "row",
      id: `event-${event.event}`,
      "aria-rowindex": position + 2,
      "aria-selected": String(isSelected),
    });
    for (const { text, kind } of COLUMNS) {
      const value = text(event);
      row.append(element("span", { role: "gridcell", class: kind, title: value.slice(0, 2000) }, value.slice(0, 500)));
    }
    row.addEventListener("click", () => this.model.select(event));
    row.addEventListener("dblclick", () => this.onOpen(event));
    if (isSelected) this.grid.setAttribute("aria-activedescendant", row.id);
    return row;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.grid) return;
    if (event.key === "Enter" && this.model.selected !== null) {
      this.onOpen(this.model.selected);
      return;
    }
    const position = this.rows.after(event.key, this.position);
    if (position === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void this.choose(position);
  }

  private async choose(position: number): Promise<void> {
    this.position = position;
    const { run, activeFilter: filter, sort } = this.model;
    const outcome = await this.connection.ask({ kind: "table", run, filter, sort, position, count: 1 });
    const event = outcome.ok ? outcome.value.events[0] : undefined;
    if (event !== undefined && this.position === position) this.model.select(event);
  }
}
