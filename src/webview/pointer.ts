import { panRange, type VisibleRange } from "../core/timeline/visibleRange.js";
import type { Connection } from "./connection.js";
import { type Hit, hitTest } from "./hit.js";
import type { HoverText } from "./hoverText.js";
import type { TimelineView } from "./timelineView.js";

const DRAG_STARTS_PX = 4;
const WHEEL_ZOOM = 0.0035;
const MIDDLE_BUTTON = 1;

/** What a pressed button does: move the picture, or select a stretch of time. */
interface Drag {
  readonly does: "pan" | "select";
  readonly x: number;
  readonly range: VisibleRange;
  moved: boolean;
}

/** Mouse and trackpad on the main canvas: hover, click, drag, wheel. Keys can do all of it too. */
export class Pointer {
  private drag: Drag | null = null;

  constructor(
    private readonly view: TimelineView,
    private readonly connection: Connection,
    private readonly hoverText: HoverText,
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
    if (event.button !== 0 && event.button !== MIDDLE_BUTTON) return;
    // The middle button would begin to scroll by itself.
    if (event.button === MIDDLE_BUTTON) event.preventDefault();
    this.view.canvas.setPointerCapture(event.pointerId);
    const does = event.button === MIDDLE_BUTTON || event.shiftKey ? "pan" : "select";
    this.drag = { does, x: event.offsetX, range: this.view.model.range, moved: false };
  }

  private move(event: PointerEvent): void {
    const { view } = this;
    if (view.geometry === null) return;
    if (this.drag !== null) this.dragTo(event.offsetX, this.drag);
    const isInPlot = event.offsetX >= view.geometry.plotX;
    view.hoverNs = isInPlot ? view.timeAt(event.offsetX) : null;
    view.redraw();
    if (this.drag?.moved === true) {
      this.hoverText.hide();
      return;
    }
    const hit = this.hit(event);
    view.canvas.classList.toggle("is-over-box", hit.kind === "box");
    this.hoverText.show(hit, event.clientX, event.clientY);
  }

  private dragTo(x: number, drag: Drag): void {
    const { view } = this;
    if (view.geometry === null || (!drag.moved && Math.abs(x - drag.x) < DRAG_STARTS_PX)) return;
    drag.moved = true;
    const { model } = view;
    if (drag.does === "pan") {
      view.canvas.classList.add("is-dragged");
      const nsPerPx = (drag.range.toNs - drag.range.fromNs) / view.geometry.plotWidth;
      model.showRange(panRange(drag.range, (drag.x - x) * nsPerPx, model.whole));
      return;
    }
    const [a, b] = [this.insideTime(drag.x), this.insideTime(x)];
    model.selectArea(a === b ? null : { fromNs: Math.min(a, b), toNs: Math.max(a, b) });
  }

  /** Time at a position, kept inside of what the timeline covers. */
  private insideTime(x: number): number {
    const { whole } = this.view.model;
    return Math.round(Math.min(Math.max(this.view.timeAt(x), whole.fromNs), whole.toNs));
  }

  private async release(event: PointerEvent): Promise<void> {
    const { drag, view } = this;
    this.endDrag();
    if (drag === null || drag.moved || event.button !== 0) return;
    const hit = this.hit(event);
    if (hit.kind === "label" || hit.kind === "memory") return;
    const { model } = view;
    if (hit.kind !== "box") {
      model.selectArea(null);
      model.select(null);
      return;
    }
    const { run } = hit.lane;
    const timeNs = view.timeAt(event.offsetX) - model.shiftOf(run);
    // What is selected belongs to the run in front.
    model.showRun(run);
    const single = hit.slices.event[hit.at] ?? 0;
    const chosen =
      hit.slices.count[hit.at] === 1
        ? await this.connection.ask({ kind: "event", run, event: single })
        : await this.connection.ask({ kind: "nearest", run, row: hit.row, timeNs });
    if (!chosen.ok) return;
    const found = "startNs" in chosen.value ? chosen.value : chosen.value.event;
    if (found !== null && run === model.run) model.select(found);
  }

  private endDrag(): void {
    this.drag = null;
    this.view.canvas.classList.remove("is-dragged");
  }

  private leave(): void {
    this.view.hoverNs = null;
    this.hoverText.hide();
    this.view.redraw();
  }

  private hit(event: PointerEvent): Hit {
    const { view } = this;
    if (view.geometry === null) return { kind: "nothing" };
    const { range } = view.model;
    const nsPerPx = (range.toNs - range.fromNs) / view.geometry.plotWidth;
    const timeNs = view.timeAt(event.offsetX);
    const preparedOf = (run: number) => view.data.visible(run);
    return hitTest(view.geometry, preparedOf, event.offsetX, event.offsetY, timeNs, nsPerPx);
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
