import { deviceMemory, milliseconds } from "../../core/sweep/explain.js";
import { type SweepRow, sweepRows } from "../../core/sweep/rows.js";
import type { SweepResult } from "../../core/sweep/runSweep.js";
import { element } from "../kit/element.js";
import { movedBy } from "../kit/rowSpace.js";

const TITLES = [
  "Mark",
  "Checkpointing",
  "Strategy",
  "Layers",
  "Cache, GiB",
  "Batch",
  "Step",
  "Range",
  "Per sequence",
  "Peak",
  "After forward",
  "Pinned",
  "Copies hidden",
] as const;

const PAGE_ROWS = 10;

const LAYERS = { all: "all", second: "every second", half: "first half" } as const;

/** The table twin of the plot: a row for points that are equal in every figure, the same selection. Arrow keys move it, Enter writes it. */
export class PointTable {
  readonly root = element("div", { class: "points", tabindex: 0, role: "grid", "aria-label": "Simulated settings" });
  /** By every point that a row stands for. */
  #rows = new Map<number, HTMLElement>();
  #order: readonly number[] = [];
  #selected = -1;

  constructor(
    private readonly onPick: (point: number) => void,
    private readonly onApply: () => void,
  ) {
    this.root.addEventListener("keydown", (event) => this.#key(event));
  }

  show(sweep: SweepResult): void {
    const rows = sweepRows(sweep);
    this.#order = rows.map(({ index }) => index);
    this.#rows = new Map();
    const body = element("tbody");
    for (const each of rows) {
      const { index, indices, point, mark } = each;
      const row = element("tr", { id: `point-${index}`, role: "row", class: point.fits ? "" : "outside" });
      row.append(...[mark, ...cellsOf(each)].map((text) => element("td", { role: "gridcell" }, text)));
      row.addEventListener("click", () => this.onPick(index));
      for (const member of indices) this.#rows.set(member, row);
      body.append(row);
    }
    const head = element(
      "tr",
      { role: "row" },
      ...TITLES.map((title) => element("th", { role: "columnheader" }, title)),
    );
    this.root.replaceChildren(element("table", { role: "presentation" }, element("thead", {}, head), body));
  }

  select(index: number): void {
    this.#rows.get(this.#selected)?.removeAttribute("aria-selected");
    this.#selected = index;
    const row = this.#rows.get(index);
    row?.setAttribute("aria-selected", "true");
    row?.scrollIntoView({ block: "nearest" });
    if (row !== undefined) this.root.setAttribute("aria-activedescendant", row.id);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Enter") {
      event.preventDefault();
      this.onApply();
      return;
    }
    const row = this.#rows.get(this.#selected);
    const at = this.#order.findIndex((index) => this.#rows.get(index) === row);
    const place = movedBy(event.key, at < 0 ? null : at, this.#order.length, PAGE_ROWS);
    const next = place === undefined ? undefined : this.#order[place];
    if (next === undefined) return;
    event.preventDefault();
    this.onPick(next);
  }
}

function cellsOf({ point, patternSets, cacheLimitsGib, movesNothing }: SweepRow): readonly string[] {
  const [least, most] = point.stepMsRange;
  return [
    point.gradientCheckpointing ? "on" : "off",
    point.strategy,
    patternSets.map((set) => LAYERS[set]).join(", "),
    cacheLimitsGib,
    String(point.microBatch),
    milliseconds(point.stepMs),
    `${milliseconds(least)} – ${milliseconds(most)}`,
    milliseconds(point.msPerSequence),
    deviceMemory(point.peakBytes),
    deviceMemory(point.afterForwardBytes),
    point.pinnedBytes === 0 ? "" : deviceMemory(point.pinnedBytes),
    movesNothing ? "nothing moves" : point.hiddenShare === null ? "" : `${Math.round(point.hiddenShare * 100)} %`,
  ];
}
