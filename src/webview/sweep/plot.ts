import { leastOf, mostOf } from "../../core/base/extremes.js";
import { counted } from "../../core/base/quantities.js";
import { STRATEGIES, type StrategyName } from "../../core/profile/strategies.js";
import { describePoint, deviceMemory, milliseconds } from "../../core/sweep/explain.js";
import type { SweepPoint } from "../../core/sweep/points.js";
import type { SweepResult } from "../../core/sweep/runSweep.js";
import { element, svgElement } from "../kit/element.js";
import { type Axis, axisOf, type Place, toldApart } from "./plotLayout.js";

const WIDTH = 720;
const HEIGHT = 340;
const MARGIN = { left: 64, right: 24, top: 16, bottom: 44 };
const BOTTOM = HEIGHT - MARGIN.bottom;
const GIB = 1024 ** 3;
const ORIGIN: Place = { x: 0, y: 0 };

/** A shape beside the colour, which alone would not tell strategies apart. Drawn around 0, 0. */
export const SHAPES: Readonly<Record<string, string>> = {
  circle: "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0",
  triangle: "M0,-6L6,5H-6Z",
  square: "M-5,-5H5V5H-5Z",
  diamond: "M0,-6L6,0L0,6L-6,0Z",
  cross: "M-5,-5L5,5M-5,5L5,-5",
};

/** Peak memory against time per sequence; the Pareto front as a line, the budget as an upright one. */
export class SweepPlot {
  readonly root = element("figure", { class: "plot" });
  #marks: SVGElement[] = [];

  constructor(private readonly onPick: (point: number) => void) {}

  show(sweep: SweepResult): void {
    const svg = svgElement("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `Peak memory against time per sequence of ${counted(sweep.points.length, "setting")}; the table below says the same.`,
    });
    const scale = scaleOf(sweep);
    const places = sweep.points.map((point) => ({ x: scale.x(point.peakBytes), y: scale.y(point.msPerSequence) }));
    const drawn = toldApart(places);
    this.#marks = sweep.points.map((point, index) => this.#mark(point, index, sweep, drawn[index] ?? ORIGIN));
    // Points lie close where settings hardly differ: what counts lies above the rest.
    const above = [...sweep.front, ...(sweep.best === null ? [] : [sweep.best])].flatMap((at) => this.#marks[at] ?? []);
    svg.append(...axes(scale), ...budgetLine(sweep, scale), front(sweep, scale), ...leaders(places, drawn));
    svg.append(...this.#marks, ...above);
    this.root.replaceChildren(svg, legend(sweep));
  }

  select(index: number): void {
    for (const [at, mark] of this.#marks.entries()) mark.classList.toggle("selected", at === index);
  }

  #mark(point: SweepPoint, index: number, sweep: SweepResult, { x, y }: Place): SVGElement {
    const classes = [
      "mark",
      `mark-${STRATEGIES[point.strategy].colour}`,
      point.gradientCheckpointing ? "filled" : "hollow",
      ...(point.fits ? [] : ["outside"]),
      ...(index === sweep.best ? ["best"] : []),
    ];
    const mark = svgElement("g", {
      class: classes.join(" "),
      transform: `translate(${x} ${y})`,
    });
    const title = `${describePoint(point)}: ${milliseconds(point.stepMs)} a step, ${deviceMemory(point.peakBytes)} at peak`;
    mark.append(svgElement("title", {}, title));
    if (index === sweep.best) mark.append(svgElement("circle", { class: "ring", r: 11 }));
    mark.append(svgElement("path", { d: shapeOf(point.strategy) }));
    mark.addEventListener("click", () => this.onPick(index));
    return mark;
  }
}

interface Scale {
  x(bytes: number): number;
  y(ms: number): number;
  /** In GiB. */
  readonly memory: Axis;
  /** In milliseconds. */
  readonly time: Axis;
}

function scaleOf({ points, budgetBytes }: SweepResult): Scale {
  const peaks = points.map(({ peakBytes }) => peakBytes);
  // A budget far from the points would press them together.
  const isNear = budgetBytes !== null && budgetBytes < 2 * mostOf(peaks) && budgetBytes > leastOf(peaks) / 2;
  const memory = axisOf((isNear ? [...peaks, budgetBytes] : peaks).map((bytes) => bytes / GIB));
  const time = axisOf(points.map(({ msPerSequence }) => msPerSequence));
  return {
    memory,
    time,
    x: (bytes) => MARGIN.left + shareOf(bytes / GIB, memory) * (WIDTH - MARGIN.left - MARGIN.right),
    y: (ms) => BOTTOM - shareOf(ms, time) * (HEIGHT - MARGIN.top - MARGIN.bottom),
  };
}

function shareOf(value: number, { from, to }: Axis): number {
  return (value - from) / (to - from);
}

function axes({ x, y, memory, time }: Scale): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const value of memory.ticks) {
    const at = x(value * GIB);
    parts.push(line(at, BOTTOM, at, MARGIN.top, "grid"), text(`${value}`, at, BOTTOM + 16, "middle"));
  }
  for (const value of time.ticks) {
    parts.push(line(MARGIN.left, y(value), WIDTH - MARGIN.right, y(value), "grid"));
    parts.push(text(`${value}`, MARGIN.left - 8, y(value) + 4, "end"));
  }
  parts.push(
    text(`peak memory, GiB${fromHere(memory)}`, (MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 8, "middle"),
  );
  const side = text(`ms per sequence${fromHere(time)}`, 0, 0, "middle");
  side.setAttribute("transform", `translate(14 ${HEIGHT / 2 - 10}) rotate(-90)`);
  return [...parts, side];
}

function budgetLine({ budgetBytes }: SweepResult, { x, memory }: Scale): SVGElement[] {
  if (budgetBytes === null || budgetBytes < memory.from * GIB || budgetBytes > memory.to * GIB) return [];
  const at = x(budgetBytes);
  const anchor = at < WIDTH / 2 ? "start" : "end";
  return [
    line(at, BOTTOM, at, MARGIN.top, "budget"),
    text(`budget ${deviceMemory(budgetBytes)}`, at, MARGIN.top - 5, anchor),
  ];
}

/** Says that an axis does not begin at zero: lengths are then no shares of the amount. */
function fromHere({ from }: Axis): string {
  return from > 0 ? " (the axis does not begin at zero)" : "";
}

/** From where a point lies to its mark, if that stands aside. */
function leaders(places: readonly Place[], drawn: readonly Place[]): SVGElement[] {
  return places.flatMap((place, index) => {
    const mark = drawn[index] ?? place;
    return mark === place ? [] : [line(place.x, place.y, mark.x, mark.y, "leader")];
  });
}

function front({ points, front: indices }: SweepResult, { x, y }: Scale): SVGElement {
  const steps = indices.flatMap((index) => {
    const point = points[index];
    return point === undefined ? [] : [`${x(point.peakBytes)},${y(point.msPerSequence)}`];
  });
  return svgElement("polyline", { class: "front", points: steps.join(" ") });
}

function shapeOf(strategy: StrategyName): string {
  return SHAPES[STRATEGIES[strategy].mark] ?? "";
}

function legend({ points }: SweepResult): HTMLElement {
  const list = element("figcaption", { class: "legend" });
  for (const strategy of new Set(points.map((point) => point.strategy))) {
    const svg = svgElement("svg", { viewBox: "-8 -8 16 16", width: 14, height: 14, "aria-hidden": "true" });
    const mark = svgElement("g", { class: `mark mark-${STRATEGIES[strategy].colour} filled` });
    mark.append(svgElement("path", { d: shapeOf(strategy) }));
    svg.append(mark);
    list.append(element("span", {}, svg, strategy));
  }
  list.append(
    element(
      "span",
      { class: "muted" },
      "filled: checkpointing on · hollow: off · ring: the choice · line: Pareto front",
    ),
  );
  return list;
}

function line(x1: number, y1: number, x2: number, y2: number, name: string): SVGElement {
  return svgElement("line", { class: name, x1, y1, x2, y2 });
}

function text(content: string, x: number, y: number, anchor: string): SVGElement {
  return svgElement("text", { x, y, "text-anchor": anchor }, content);
}
