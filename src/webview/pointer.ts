import type { EventDetails } from "../core/timeline/protocol.js";
import { formatBytes, formatNs, formatRate, formatShare, grouped } from "../core/timeline/quantities.js";
import { clampRange, panRange, type VisibleRange } from "../core/timeline/visibleRange.js";
import type { Connection } from "./connection.js";
import { type Hit, hitTest } from "./hit.js";
import { KeepLatest } from "./keepLatest.js";
import { ROLE_NAMES } from "./roleNames.js";
import { meaningOf } from "./theme.js";
import type { TimelineView } from "./timelineView.js";
import type { Tooltip, TooltipLine } from "./tooltip.js";

const DRAG_STARTS_PX = 4;
const WHEEL_ZOOM = 0.0035;

/** Mouse and trackpad on the main canvas: hover, click, drag, wheel. Keys can do all of it too. */
export class Pointer {
  private readonly hovers = new KeepLatest();
  private drag: { x: number; range: VisibleRange; moved: boolean } | null = null;
  private hovered = "";
  private shown: EventDetails | null = null;

  constructor(
    private readonly view: TimelineView,
    private readonly connection: Connection,
    private readonly tooltip: Tooltip,
  ) {
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => void this.release(event));
    canvas.addEventListener("pointercancel", () => this.endDrag());
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", () => this.view.fit(this.view.model.selected));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.view.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.offsetX, range: this.view.model.range, moved: false };
  }

  private move(event: PointerEvent): void {
    const { view } = this;
    if (view.geometry === null) return;
    if (this.drag !== null) this.dragBy(event.offsetX - this.drag.x, this.drag);
    const isInPlot = event.offsetX >= view.geometry.plotX;
    view.hoverNs = isInPlot ? view.timeAt(event.offsetX) : null;
    view.redraw();
    if (this.drag?.moved === true) {
      this.tooltip.hide();
      return;
    }
    this.hover(this.hit(event), event);
  }

  private dragBy(pixels: number, drag: NonNullable<Pointer["drag"]>): void {
    const { view } = this;
    if (view.geometry === null || (!drag.moved && Math.abs(pixels) < DRAG_STARTS_PX)) return;
    drag.moved = true;
    view.canvas.classList.add("is-dragged");
    const nsPerPx = (drag.range.toNs - drag.range.fromNs) / view.geometry.plotWidth;
    view.model.showRange(panRange(drag.range, -pixels * nsPerPx, view.model.whole));
  }

  private async release(event: PointerEvent): Promise<void> {
    const wasDrag = this.drag?.moved === true;
    this.endDrag();
    if (wasDrag || event.button !== 0) return;
    const hit = this.hit(event);
    if (hit.kind === "label" || hit.kind === "memory") return;
    if (hit.kind !== "box") return this.view.model.select(null);
    const { run } = this.view.model;
    const slices = this.view.data.visible?.rows[hit.row];
    const isSingle = slices?.count[hit.at] === 1;
    const single = slices?.event[hit.at] ?? 0;
    const timeNs = this.view.timeAt(event.offsetX);
    const chosen = isSingle
      ? await this.connection.ask({ kind: "event", run, event: single })
      : await this.connection.ask({ kind: "nearest", run, row: hit.row, timeNs });
    if (!chosen.ok) return;
    const found = "startNs" in chosen.value ? chosen.value : chosen.value.event;
    if (found !== null) this.view.model.select(found);
  }

  private endDrag(): void {
    this.drag = null;
    this.view.canvas.classList.remove("is-dragged");
  }

  private leave(): void {
    this.view.hoverNs = null;
    this.hovered = "";
    this.tooltip.hide();
    this.view.redraw();
  }

  private hit(event: PointerEvent): Hit {
    const { view } = this;
    if (view.geometry === null) return { kind: "nothing" };
    const { range } = view.model;
    const nsPerPx = (range.toNs - range.fromNs) / view.geometry.plotWidth;
    const timeNs = view.timeAt(event.offsetX);
    return hitTest(view.geometry, view.data.visible, event.offsetX, event.offsetY, timeNs, nsPerPx);
  }

  private hover(hit: Hit, event: PointerEvent): void {
    const { clientX, clientY } = event;
    this.view.canvas.classList.toggle("is-over-box", hit.kind === "box");
    const slices = hit.kind === "box" ? this.view.data.visible?.rows[hit.row] : undefined;
    if (hit.kind === "exposed") {
      this.explainExposed(hit, clientX, clientY);
      return;
    }
    if (hit.kind === "memory" && this.view.hoverNs === null) {
      this.explainMemory(hit, clientX, clientY);
      return;
    }
    if (hit.kind === "label") {
      this.explainLane(hit, clientX, clientY);
      return;
    }
    if (hit.kind !== "box" || slices === undefined) {
      this.hovered = "";
      this.tooltip.hide();
      return;
    }
    const count = slices.count[hit.at] ?? 1;
    if (count > 1) {
      const lines: TooltipLine[] = [
        ["covered", formatShare(slices.coverage[hit.at] ?? 0)],
        ["spans", formatNs((slices.endNs[hit.at] ?? 0) - (slices.startNs[hit.at] ?? 0))],
        "Zoom in to tell them apart.",
      ];
      this.hovered = "";
      this.tooltip.show(`${grouped(count)} events`, lines, clientX, clientY);
      return;
    }
    this.hoverEvent(slices.event[hit.at] ?? 0, clientX, clientY);
  }

  private hoverEvent(event: number, x: number, y: number): void {
    const { run } = this.view.model;
    const key = `${run} ${event}`;
    const isNew = key !== this.hovered;
    this.hovered = key;
    if (!isNew && this.shown?.event === event) {
      this.showEvent(this.shown, x, y);
      return;
    }
    this.hovers.run(async () => {
      const outcome = await this.connection.ask({ kind: "event", run, event });
      if (!outcome.ok || this.hovered !== key) return;
      this.shown = outcome.value;
      this.showEvent(outcome.value, x, y);
    });
  }

  private showEvent(event: EventDetails, x: number, y: number): void {
    const lines: TooltipLine[] = [
      ["what", meaningOf(event.kind)],
      ["start", formatNs(event.startNs)],
      ["duration", formatNs(event.durationNs)],
    ];
    if (event.layer >= 0) lines.push(["layer", String(event.layer)]);
    if (event.bytes > 0) lines.push(["bytes", formatBytes(event.bytes)]);
    const rate = formatRate(event.bytes, event.durationNs);
    if (rate !== "" && event.hiddenNs !== null) lines.push(["rate", rate]);
    if (event.hiddenNs !== null) lines.push(["exposed", formatNs(event.durationNs - event.hiddenNs)]);
    if (event.waitedFor !== null) lines.push(["waited for", event.waitedFor.name]);
    this.tooltip.show(event.name, lines, x, y);
  }

  private explainExposed(hit: Hit & { kind: "exposed" }, x: number, y: number): void {
    this.tooltip.show(
      `${ROLE_NAMES[hit.lane.role]}: exposed time`,
      ["Red where a copy runs and no compute beside it: time that the step pays for."],
      x,
      y,
    );
  }

  private explainLane(hit: Hit & { kind: "label" }, x: number, y: number): void {
    const metrics = this.view.model.timeline?.metrics;
    if (metrics === undefined) return;
    const { role } = hit.lane;
    if (role === "compute" || role === "host") {
      const lines: TooltipLine[] =
        role === "compute"
          ? [
              ["busy", formatNs(metrics.computeBusyNs)],
              ["waiting for copies", formatNs(metrics.computeWaitNs)],
              "busy = union of kernels other than collectives, memsets and device-to-device copies",
            ]
          : [["waiting for the device", formatNs(metrics.hostWaitNs)]];
      this.tooltip.show(ROLE_NAMES[role], lines, x, y);
      return;
    }
    const covered = metrics[role];
    const lines: TooltipLine[] = [
      ["count", grouped(covered.count)],
      ["bytes", formatBytes(covered.bytes)],
      ["busy", formatNs(covered.busyNs)],
      ["hidden", formatNs(covered.hiddenNs)],
      ["exposed", formatNs(covered.exposedNs)],
      "hidden = busy time under compute; exposed = busy − hidden",
    ];
    this.tooltip.show(ROLE_NAMES[role], lines, x, y);
  }

  private explainMemory(hit: Hit & { kind: "memory" }, x: number, y: number): void {
    const curve = this.view.model.timeline?.memory[hit.memory.curve];
    if (curve === undefined) return;
    const lines: TooltipLine[] = [
      ["peak", formatBytes(curve.peakBytes)],
      ["reached at", formatNs(curve.peakAtNs)],
      curve.of === "device"
        ? "Live tensor bytes, parameters included. Where they dominate, the axis begins just below them (jagged edge)."
        : "Page-locked host memory, as the pinned allocator holds it.",
    ];
    this.tooltip.show(curve.of === "device" ? "Device memory" : "Pinned memory", lines, x, y);
  }

  private wheel(event: WheelEvent): void {
    const { view } = this;
    if (view.geometry === null) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      view.zoom(Math.exp(event.deltaY * unit * WHEEL_ZOOM), view.timeAt(event.offsetX));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (sideways === 0 || (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY))) return;
    event.preventDefault();
    view.pan((sideways * unit) / view.geometry.plotWidth);
  }
}

/** Press and drag on the overview strip: on an edge of the window it resizes, elsewhere it moves the window there. */
export function steerByOverview(view: TimelineView): void {
  const { overviewCanvas: canvas, model } = view;
  let grip: "left" | "right" | "middle" | null = null;
  let holdNs = 0;
  const timeAt = (x: number) => {
    if (view.geometry === null) return 0;
    const { plotX, plotWidth } = view.geometry;
    return model.whole.fromNs + ((x - plotX) / plotWidth) * (model.whole.toNs - model.whole.fromNs);
  };
  const gripAt = (x: number) => {
    const reachNs = timeAt(x + 5) - timeAt(x);
    const ns = timeAt(x);
    if (Math.abs(ns - model.range.fromNs) < reachNs) return "left";
    return Math.abs(ns - model.range.toNs) < reachNs ? "right" : "middle";
  };
  const follow = (x: number) => {
    const ns = timeAt(x);
    const { range, whole } = model;
    const span = range.toNs - range.fromNs;
    if (grip === "left") model.showRange(clampRange({ fromNs: Math.min(ns, range.toNs - 1), toNs: range.toNs }, whole));
    if (grip === "right")
      model.showRange(clampRange({ fromNs: range.fromNs, toNs: Math.max(ns, range.fromNs + 1) }, whole));
    if (grip === "middle") model.showRange(clampRange({ fromNs: ns - holdNs, toNs: ns - holdNs + span }, whole));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    grip = gripAt(event.offsetX);
    const { range } = model;
    const ns = timeAt(event.offsetX);
    const isInside = ns >= range.fromNs && ns <= range.toNs;
    holdNs = isInside ? ns - range.fromNs : (range.toNs - range.fromNs) / 2;
    follow(event.offsetX);
  });
  canvas.addEventListener("pointermove", (event) => {
    canvas.style.cursor = (grip ?? gripAt(event.offsetX)) === "middle" ? "grab" : "ew-resize";
    if (grip !== null) follow(event.offsetX);
  });
  for (const end of ["pointerup", "pointercancel"] as const)
    canvas.addEventListener(end, () => {
      grip = null;
    });
}
