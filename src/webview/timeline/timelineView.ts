import { peakNote } from "../../core/profile/peakNote.js";
import type { EventDetails } from "../../core/timeline/query/protocol.js";
import {
  fitRange,
  panRange,
  revealRange,
  type VisibleRange,
  zoomRange,
} from "../../core/timeline/query/visibleRange.js";
import { element, setAttributes } from "../kit/element.js";
import { timeFrame } from "../kit/frameTime.js";
import type { Connection } from "./connection.js";
import { drawLayers, drawPhases, drawRuler } from "./draw/bands.js";
import type { BoxPainter } from "./draw/boxPainter.js";
import { sizeCanvas } from "./draw/canvasSize.js";
import { FlatBoxes } from "./draw/flatBoxes.js";
import { GpuBoxes } from "./draw/gpuBoxes.js";
import { drawLanes, paintBoxes } from "./draw/lanes.js";
import { drawMatches } from "./draw/matches.js";
import { drawMemory } from "./draw/memory.js";
import {
  drawArea,
  drawCrosshair,
  drawMarks,
  drawSelection,
  drawViolation,
  plateSpans,
  stripeOf,
} from "./draw/overlay.js";
import type { Paint, PaintedRun } from "./draw/paint.js";
import { OverviewStrip, prepared } from "./draw/strip.js";
import { computeGeometry, type Geometry, type NearRows, nearRows, scrolled } from "./geometry.js";
import type { FindingsData } from "./state/findingsData.js";
import { MatchData } from "./state/matchData.js";
import { describeRun, runName, shortRunName } from "./state/runNames.js";
import { createAbsent, createHelpText } from "./state/timelineTexts.js";
import { ViewData } from "./state/viewData.js";
import type { ViewModel } from "./state/viewModel.js";
import { onThemeChange, readTheme, type Theme } from "./theme.js";

const OVERVIEW_PX = 44;
const LOW_OVERVIEW_PX = 30;
const LOW_PAGE_PX = 700;

/** Overview strip and main canvas: sizes them, fetches what they show, draws at most once per frame. */
export class TimelineView {
  readonly root: HTMLElement;
  readonly overviewCanvas = element("canvas", { class: "overview", "aria-hidden": "true" });
  /** Text, curves and marks; boxes lie on a canvas below. It takes the pointer and the focus. */
  readonly canvas = element("canvas", {
    class: "lanes",
    tabindex: 0,
    role: "img",
    "aria-describedby": "timeline-help",
  });
  readonly data: ViewData;
  /** On the screen; null where there is no timeline. */
  geometry: Geometry | null = null;
  /** Called whenever the geometry on the screen changed. */
  onGeometry: (geometry: Geometry) => void = () => undefined;
  /** Called before each picture, once it is known where everything lies and what is there. */
  onLaidOut: () => void = () => undefined;
  /** Where the pointer is, CSS pixels from the left of the canvas; null while it is elsewhere. */
  hoverX: number | null = null;
  readonly stage = element("div", { class: "stage" });
  private readonly extent = element("div", { class: "extent" });
  readonly scroller = element("div", { class: "scroller" }, this.stage, this.extent);
  private readonly matches: MatchData;
  private readonly strip = new OverviewStrip(this.overviewCanvas);
  private painter: BoxPainter;
  private theme: Theme = readTheme();
  private content: { readonly key: string; readonly geometry: Geometry } | null = null;
  private arrangementOf: unknown = null;
  private onScreen: { readonly of: Geometry; readonly scrollTop: number; readonly geometry: Geometry } | null = null;
  private rows: ReadonlyMap<number, NearRows> = new Map();
  private readonly stopThemes: () => void;
  private frame = 0;
  private isClosed = false;

  constructor(
    readonly model: ViewModel,
    connection: Connection,
    private readonly findings: FindingsData,
  ) {
    this.data = new ViewData(connection, model, () => this.redraw());
    this.matches = new MatchData(connection, model, () => this.redraw());
    this.painter = GpuBoxes.create(() => this.losePainter()) ?? new FlatBoxes();
    this.stage.append(this.painter.canvas, this.canvas);
    this.root = element(
      "section",
      { class: "timeline", "aria-label": "Timeline" },
      this.overviewCanvas,
      this.scroller,
      createAbsent(),
      createHelpText(),
    );
    new ResizeObserver(() => this.redraw()).observe(this.scroller);
    this.scroller.addEventListener("scroll", () => this.redraw());
    this.stopThemes = onThemeChange(() => this.restyle());
    findings.listen(() => this.redraw());
    model.listen(() => this.redraw());
  }

  /** Which way boxes are drawn, for the help and for reports of faults. */
  get painterKind(): BoxPainter["kind"] {
    return this.painter.kind;
  }

  /** Time under the pointer, null while it is not over the plot: whatever moved, the pointer or the picture. */
  get hoverNs(): number | null {
    const { geometry, hoverX } = this;
    return geometry === null || hoverX === null || hoverX < geometry.plotX ? null : this.timeAt(hoverX);
  }

  redraw(): void {
    if (this.frame !== 0 || this.isClosed) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      timeFrame(() => this.draw());
    });
  }

  /** Nothing is drawn afterwards. */
  close(): void {
    this.isClosed = true;
    this.stopThemes();
    cancelAnimationFrame(this.frame);
    this.painter.close();
  }

  zoom(factor: number, anchorNs = this.anchorNs()): void {
    this.model.showRange(zoomRange(this.model.range, anchorNs, factor, this.model.whole));
  }

  /** Moves by a share of what is visible. */
  pan(share: number): void {
    const { range, whole } = this.model;
    this.model.showRange(panRange(range, (range.toNs - range.fromNs) * share, whole));
  }

  /** Shows an event in its surroundings, or a selected stretch of time from edge to edge; null shows everything. */
  fit(event: EventDetails | null): void {
    const { area, whole } = this.model;
    if (event !== null) this.model.showRange(fitRange(event.startNs, event.startNs + event.durationNs, whole));
    else if (area !== null) this.model.showRange(zoomRange(area, (area.fromNs + area.toNs) / 2, 1.02, whole));
    else this.fitAll();
  }

  fitAll(): void {
    this.model.showRange(this.model.whole);
  }

  /** Moves and scrolls as little as possible so that an event of the run in front can be seen. */
  reveal(event: Pick<EventDetails, "startNs" | "durationNs" | "row">): void {
    const { range, whole, run } = this.model;
    this.model.showRange(revealRange(range, event.startNs, event.startNs + event.durationNs, whole));
    const found = this.geometry === null ? undefined : stripeOf({ geometry: this.geometry }, run, event.row);
    if (found === undefined || found.lane.isFixed || this.geometry === null) return;
    const { lane } = found;
    const above = this.geometry.fixedHeight - lane.y;
    const beneath = lane.y + Math.min(lane.height, this.scroller.clientHeight) - this.scroller.clientHeight;
    if (above > 0) this.scroller.scrollTop -= above;
    else if (beneath > 0) this.scroller.scrollTop += beneath;
  }

  timeAt(x: number): number {
    const { range } = this.model;
    if (this.geometry === null) return range.fromNs;
    return range.fromNs + ((x - this.geometry.plotX) / this.geometry.plotWidth) * (range.toNs - range.fromNs);
  }

  /** Everything on the screen as one picture, with the theme's background. */
  picture(): HTMLCanvasElement {
    const whole = document.createElement("canvas");
    whole.width = this.canvas.width;
    whole.height = this.canvas.height + this.overviewCanvas.height;
    const context = whole.getContext("2d");
    if (context === null) return whole;
    context.fillStyle = this.theme.background;
    context.fillRect(0, 0, whole.width, whole.height);
    context.drawImage(this.overviewCanvas, 0, 0);
    for (const layer of [this.painter.canvas, this.canvas]) context.drawImage(layer, 0, this.overviewCanvas.height);
    return whole;
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
    this.redraw();
  }

  /** The browser took the graphics context away; a canvas cannot change its kind, so a new one takes its place. */
  private losePainter(): void {
    const lost = this.painter.canvas;
    this.painter = new FlatBoxes();
    lost.replaceWith(this.painter.canvas);
    this.redraw();
  }

  private layOut(width: number, height: number): Geometry | null {
    const { model } = this;
    const { timelines, kind } = model.profile;
    const key = [model.shownRuns.join(), width, height].join(" ");
    if (this.content?.key !== key || this.arrangementOf !== model.arrangement) {
      const tracks = model.shownRuns.flatMap((run) => {
        const overview = timelines[run] ?? null;
        return overview === null ? [] : [{ run, overview, isTrace: kind === "trace" }];
      });
      if (tracks.length === 0) return null;
      this.content = { key, geometry: computeGeometry(tracks, model.arrangement, width, height) };
      this.arrangementOf = model.arrangement;
    }
    const { geometry } = this.content;
    this.extent.style.height = `${Math.max(0, geometry.height - height)}px`;
    const scrollTop = Math.round(this.scroller.scrollTop);
    if (this.onScreen?.of !== geometry || this.onScreen.scrollTop !== scrollTop)
      this.onScreen = { of: geometry, scrollTop, geometry: scrolled(geometry, scrollTop) };
    return this.onScreen.geometry;
  }

  private draw(): void {
    const { model, scroller, theme } = this;
    const overview = model.timeline;
    const { clientWidth: width, clientHeight: height } = scroller;
    const geometry = overview === null ? null : this.layOut(width, height);
    this.root.classList.toggle("is-absent", geometry === null);
    const hasMoved = geometry !== this.geometry;
    this.geometry = geometry;
    if (geometry === null || overview === null) {
      this.onLaidOut();
      return;
    }
    if (hasMoved) this.rows = nearRows(geometry, height);
    this.data.require(geometry.plotWidth, this.rows);
    this.matches.require(geometry.plotWidth, this.rows.get(model.run)?.near ?? []);
    this.describe();
    const scale = window.devicePixelRatio;
    this.stage.style.height = `${height}px`;
    sizeCanvas(this.canvas, { width, height, scale });
    const context = prepared(this.canvas, scale);
    if (context === null) return;
    const paint: Paint = { context, theme, geometry, height, overview, runs: this.paintedRuns(), range: model.range };
    const { plotX, plotWidth } = geometry;
    this.painter.begin({ width, height, scale, theme, plotX, plotWidth, range: model.range });
    paintBoxes(paint, this.painter);
    this.onLaidOut();
    this.drawText(paint);
    this.drawStrip(paint, width, scale);
    if (hasMoved) this.onGeometry(geometry);
  }

  private drawText(paint: Paint): void {
    const { model, hoverNs } = this;
    drawRuler(paint, plateSpans(paint, hoverNs, model.area, model.marks));
    drawLanes(paint);
    drawMatches(paint, model.run, this.matches.marks);
    drawMemory(paint);
    drawLayers(paint);
    drawPhases(paint);
    if (model.area !== null) drawArea(paint, model.area);
    if (model.marks.length > 0) drawMarks(paint, model.marks);
    drawSelection(paint, model.run, model.selected);
    for (const { from, to } of this.findings.arrows()) drawViolation(paint, model.run, from, to);
    if (hoverNs !== null) drawCrosshair(paint, hoverNs);
  }

  private paintedRuns(): Map<number, PaintedRun> {
    const { model } = this;
    const { timelines, result } = model.profile;
    const runs = new Map<number, PaintedRun>();
    for (const run of model.shownRuns) {
      const overview = timelines[run] ?? null;
      if (overview === null) continue;
      const shown = result?.runs[run];
      runs.set(run, {
        run,
        title: runName(model.profile, run),
        shortTitle: shortRunName(model.profile, run),
        overview,
        prepared: this.data.visible(run),
        shiftNs: model.shiftOf(run),
        staticBytes: shown?.staticBytes ?? 0,
        peakNote: result === null || shown === undefined ? undefined : peakNote(shown, result),
      });
    }
    return runs;
  }

  private drawStrip({ theme, geometry, overview, range }: Paint, width: number, scale: number): void {
    const { area, whole } = this.model;
    const { plotX, plotWidth } = geometry;
    const height = window.innerHeight < LOW_PAGE_PX ? LOW_OVERVIEW_PX : OVERVIEW_PX;
    const view = this.data.whole;
    this.strip.draw({ theme, overview, view, whole, range, area, plotX, plotWidth, height }, width, scale);
  }

  /** What a screen reader says of the picture; the table says the rest. */
  private describe(): void {
    const label = `Timeline of ${describeRun(this.model.profile, this.model.run)}`;
    if (this.canvas.getAttribute("aria-label") !== label) setAttributes(this.canvas, { "aria-label": label });
  }
}

function isInside(ns: number, range: VisibleRange): boolean {
  return ns >= range.fromNs && ns <= range.toNs;
}
