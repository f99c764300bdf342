import type { EventDetails } from "../core/timeline/protocol.js";
import { figuresOf, runTitle } from "../core/timeline/runFigures.js";
import { fitRange, panRange, revealRange, type VisibleRange, zoomRange } from "../core/timeline/visibleRange.js";
import type { Connection } from "./connection.js";
import { drawLayers, drawPhases, drawRuler } from "./draw/bands.js";
import { drawLanes } from "./draw/lanes.js";
import { drawMemory } from "./draw/memory.js";
import { drawCrosshair, drawSelection } from "./draw/overlay.js";
import { drawOverview } from "./draw/overview.js";
import { type Paint, Patterns } from "./draw/paint.js";
import { element } from "./element.js";
import { computeGeometry, type Geometry } from "./geometry.js";
import { onThemeChange, readTheme, type Theme } from "./theme.js";
import { ViewData } from "./viewData.js";
import type { ViewModel } from "./viewModel.js";

export const OVERVIEW_PX = 44;

/** Overview strip and main canvas: sizes them, fetches what they show, draws at most once per frame. */
export class TimelineView {
  readonly root: HTMLElement;
  readonly overviewCanvas = element("canvas", { class: "overview", "aria-hidden": "true" });
  readonly canvas = element("canvas", {
    class: "lanes",
    tabindex: 0,
    role: "img",
    "aria-describedby": "timeline-help",
  });
  readonly scroller = element("div", { class: "scroller" }, this.canvas);
  readonly data: ViewData;
  geometry: Geometry | null = null;
  /** Time under the pointer, null while it is elsewhere. */
  hoverNs: number | null = null;
  private theme: Theme = readTheme();
  private patterns: Patterns | null = null;
  private frame = 0;

  constructor(
    readonly model: ViewModel,
    connection: Connection,
  ) {
    this.data = new ViewData(connection, model, () => this.redraw());
    const help = element(
      "p",
      { id: "timeline-help", class: "for-readers" },
      "The events tab below lists the same events as a table. Full stop and comma move to the next and previous event; question mark lists all keys.",
    );
    const absent = element(
      "div",
      { class: "absent" },
      element("strong", {}, "No timeline was recorded for this run."),
      element("span", {}, "Choose another run above, or profile again with this strategy."),
    );
    this.root = element(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      this.overviewCanvas,
      this.scroller,
      absent,
      help,
    );
    new ResizeObserver(() => this.redraw()).observe(this.scroller);
    onThemeChange(() => this.restyle());
    model.listen(() => this.redraw());
  }

  redraw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  zoom(factor: number, anchorNs = this.anchorNs()): void {
    this.model.showRange(zoomRange(this.model.range, anchorNs, factor, this.model.whole));
  }

  /** Moves by a share of what is visible. */
  pan(share: number): void {
    const { range, whole } = this.model;
    this.model.showRange(panRange(range, (range.toNs - range.fromNs) * share, whole));
  }

  fit(event: EventDetails | null): void {
    if (event === null) {
      this.fitAll();
      return;
    }
    this.model.showRange(fitRange(event.startNs, event.startNs + event.durationNs, this.model.whole));
  }

  fitAll(): void {
    this.model.showRange(this.model.whole);
  }

  reveal(event: EventDetails): void {
    this.model.showRange(
      revealRange(this.model.range, event.startNs, event.startNs + event.durationNs, this.model.whole),
    );
  }

  timeAt(x: number): number {
    const { range } = this.model;
    if (this.geometry === null) return range.fromNs;
    return range.fromNs + ((x - this.geometry.plotX) / this.geometry.plotWidth) * (range.toNs - range.fromNs);
  }

  /** Where zooming by key holds still: the pointer, else a visible selection, else the middle. */
  private anchorNs(): number {
    const { range, selected } = this.model;
    if (this.hoverNs !== null) return this.hoverNs;
    const middle = selected === null ? null : selected.startNs + selected.durationNs / 2;
    return middle !== null && isInside(middle, range) ? middle : (range.fromNs + range.toNs) / 2;
  }

  private restyle(): void {
    this.theme = readTheme();
    this.patterns = null;
    this.redraw();
  }

  private draw(): void {
    const { model, scroller } = this;
    const overview = model.timeline;
    this.root.classList.toggle("is-absent", overview === null);
    if (overview === null) {
      this.geometry = null;
      return;
    }
    const width = scroller.clientWidth;
    const geometry = computeGeometry(overview, width, scroller.clientHeight);
    this.geometry = geometry;
    this.data.require(geometry.plotWidth);
    this.describe();
    const context = prepare(this.canvas, width, geometry.height);
    if (context === null) return;
    this.patterns ??= new Patterns(context, this.theme, window.devicePixelRatio);
    const paint: Paint = {
      context,
      theme: this.theme,
      geometry,
      overview,
      range: model.range,
      patterns: this.patterns,
      staticBytes: model.profile.result?.runs[model.run]?.staticBytes ?? 0,
    };
    drawRuler(paint);
    drawLanes(paint, this.data.visible);
    drawMemory(paint, this.data.visible);
    drawLayers(paint);
    drawPhases(paint);
    drawSelection(paint, model.selected);
    if (this.hoverNs !== null) drawCrosshair(paint, this.hoverNs, this.data.visible);
    this.drawStrip(width, geometry);
  }

  private drawStrip(width: number, geometry: Geometry): void {
    const { model } = this;
    const context = prepare(this.overviewCanvas, width, OVERVIEW_PX);
    if (context === null || model.timeline === null) return;
    const { plotX, plotWidth } = geometry;
    const { range, timeline: overview } = model;
    drawOverview({
      context,
      theme: this.theme,
      overview,
      view: this.data.whole,
      range,
      plotX,
      plotWidth,
      height: OVERVIEW_PX,
    });
  }

  /** What a screen reader says of the picture; the table says the rest. */
  private describe(): void {
    const { profile, run } = this.model;
    const { result } = profile;
    const asked = result?.runs[run];
    if (result === null || asked === undefined) return;
    const figures = figuresOf(result, run).map((figure) => `${figure.label} ${figure.value}`);
    const label = `Timeline of ${runTitle(asked)}. ${figures.join(", ")}.`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
  }
}

function isInside(ns: number, range: VisibleRange): boolean {
  return ns >= range.fromNs && ns <= range.toNs;
}

/** Sizes a canvas for the screen's resolution, clears it and returns its context in CSS pixels. */
function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const scale = window.devicePixelRatio;
  const [pixelWidth, pixelHeight] = [Math.round(width * scale), Math.round(height * scale)];
  // Assigning a size clears even when nothing changes, and costs a new buffer.
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
    canvas.width = pixelWidth;
    canvas.height = pixelHeight;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
