import { panRange, type VisibleRange } from "../../core/timeline/query/visibleRange.js";
import type { Connection } from "./connection.js";
import type { PreparedView } from "./draw/preparedView.js";
import type { Geometry } from "./geometry.js";
import { type Hit, hitTest } from "./hit.js";
import type { HoverText } from "./panels/hoverText.js";
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

/** A place of the canvas, CSS pixels from its top left corner. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** What the last hit test looked at: with all of it the same, the pointer rests on the same thing. */
interface Seen {
  readonly range: VisibleRange;
  readonly geometry: Geometry | null;
  readonly prepared: readonly (PreparedView | null)[];
}

/** Mouse and trackpad on the main canvas: hover, click, drag, wheel. Keys can do all of it too. */
export class Pointer {
  private drag: Drag | null = null;
  /** The pointer on the page, null while it is not over the canvas. */
  private at: { readonly clientX: number; readonly clientY: number } | null = null;
  private seen: Seen | null = null;

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
    view.onLaidOut = () => this.follow();
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
    this.at = { clientX: event.clientX, clientY: event.clientY };
    view.hoverX = event.offsetX;
    view.redraw();
    this.hover({ x: event.offsetX, y: event.offsetY });
  }

  /** The picture moved under a pointer that rests (keys, the wheel, a panel that opened, an answer): it is over something else. */
  private follow(): void {
    const { at, view } = this;
    if (at === null || this.isSeen()) return;
    const box = view.canvas.getBoundingClientRect();
    const place = { x: at.clientX - box.left, y: at.clientY - box.top };
    const isOver = place.x >= 0 && place.y >= 0 && place.x < box.width && place.y < box.height;
    if (!isOver && this.drag === null) {
      this.forget();
      return;
    }
    view.hoverX = place.x;
    this.hover(place);
  }

  private hover(place: Place): void {
    const { view, at } = this;
    this.seen = this.present();
    if (this.drag?.moved === true || at === null) {
      this.hoverText.hide();
      return;
    }
    const hit = this.hit(place);
    view.canvas.classList.toggle("is-over-box", hit.kind === "box");
    this.hoverText.show(hit, at.clientX, at.clientY);
  }

  private present(): Seen {
    const { model, geometry, data } = this.view;
    return { range: model.range, geometry, prepared: model.shownRuns.map((run) => data.visible(run)) };
  }

  private isSeen(): boolean {
    const { seen } = this;
    if (seen === null) return false;
    const { range, geometry, prepared } = this.present();
    return (
      range === seen.range && geometry === seen.geometry && prepared.every((view, run) => view === seen.prepared[run])
    );
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
    const hit = this.hit({ x: event.offsetX, y: event.offsetY });
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
    this.forget();
    this.view.redraw();
  }

  private forget(): void {
    this.at = this.seen = this.view.hoverX = null;
    this.hoverText.hide();
  }

  private hit({ x, y }: Place): Hit {
    const { view } = this;
    if (view.geometry === null) return { kind: "nothing" };
    const { range } = view.model;
    const nsPerPx = (range.toNs - range.fromNs) / view.geometry.plotWidth;
    const timeNs = view.timeAt(x);
    const preparedOf = (run: number) => view.data.visible(run);
    return hitTest(view.geometry, preparedOf, x, y, timeNs, nsPerPx);
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
