import { deviceMemory, milliseconds } from "../../core/sweep/explain.js";
import type { SweepPoint } from "../../core/sweep/points.js";
import type { SweepResult } from "../../core/sweep/runSweep.js";
import { element } from "../element.js";

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

const LAYERS = { all: "all", second: "every second", half: "first half" } as const;

/** The table twin of the plot: a row for each point by time, the same selection. Arrow keys move it, Enter writes it. */
export class PointTable {
  readonly root = element("div", { class: "points", tabindex: 0, role: "grid", "aria-label": "Simulated settings" });
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
    const { points, best, front } = sweep;
    const timeOf = (index: number): number => points[index]?.msPerSequence ?? 0;
    this.#order = points.map((_, index) => index).sort((left, right) => timeOf(left) - timeOf(right));
    this.#rows = new Map();
    const body = element("tbody");
    for (const index of this.#order) {
      const point = points[index];
      if (point === undefined) continue;
      const row = element("tr", { id: `point-${index}`, role: "row", class: point.fits ? "" : "outside" });
      const mark = index === best ? "choice" : point.fits ? (front.includes(index) ? "front" : "") : "too large";
      row.append(...[mark, ...cellsOf(point)].map((text) => element("td", { role: "gridcell" }, text)));
      row.addEventListener("click", () => this.onPick(index));
      this.#rows.set(index, row);
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
    const at = this.#order.indexOf(this.#selected);
    const places: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: this.#order.length - 1,
    };
    const place = places[event.key];
    const next = place === undefined ? undefined : this.#order[place];
    if (next === undefined) return;
    event.preventDefault();
    this.onPick(next);
  }
}

function cellsOf(point: SweepPoint): readonly string[] {
  const [least, most] = point.stepMsRange;
  return [
    point.gradientCheckpointing ? "on" : "off",
    point.strategy,
    point.patternSet === null ? "" : LAYERS[point.patternSet],
    point.cacheLimitGb === null ? "" : String(point.cacheLimitGb),
    String(point.microBatch),
    milliseconds(point.stepMs),
    `${milliseconds(least)} – ${milliseconds(most)}`,
    milliseconds(point.msPerSequence),
    deviceMemory(point.peakBytes),
    deviceMemory(point.afterForwardBytes),
    point.pinnedBytes === 0 ? "" : deviceMemory(point.pinnedBytes),
    point.hiddenShare === null ? "" : `${Math.round(point.hiddenShare * 100)} %`,
  ];
}
