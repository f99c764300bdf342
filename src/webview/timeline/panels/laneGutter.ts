import { element, setAttributes, setText } from "../../kit/element.js";
import { laneTitle } from "../draw/lanes.js";
import type { Geometry, LaneStripe } from "../geometry.js";
import type { TimelineView } from "../timelineView.js";

/** What the buttons of a lane do; `key` names the lane. */
export interface LaneActions {
  pin(key: string): void;
  fold(key: string, isFolded: boolean): void;
  /** Moves a lane by one place. */
  move(key: string, by: 1 | -1): void;
}

const LEAST_DRAG_PX = 6;

interface LaneItem {
  readonly root: HTMLElement;
  readonly pin: HTMLElement;
  readonly fold: HTMLElement;
}

/**
 * The lanes as a list over the labels of the canvas: each can get the focus and has buttons that show on hover and focus.
 * The labels themselves are drawn, so that pictures have them too.
 */
export class LaneGutter {
  readonly root = element("div", { class: "gutter", role: "list", "aria-label": "Lanes" });
  private readonly items = new Map<string, LaneItem>();

  constructor(
    private readonly view: TimelineView,
    private readonly actions: LaneActions,
  ) {
    view.stage.append(this.root);
    view.onGeometry = (geometry) => this.place(geometry);
  }

  private place(geometry: Geometry): void {
    const seen = new Set<string>();
    const bottom = this.view.scroller.clientHeight;
    for (const lane of geometry.lanes) {
      const top = lane.isFixed ? 0 : geometry.fixedHeight - 4;
      if (lane.y < top || lane.y > bottom) continue;
      const id = `${lane.run} ${lane.key}`;
      seen.add(id);
      const item = this.items.get(id) ?? this.create(id, lane);
      this.update(item, lane, geometry);
    }
    for (const [id, { root }] of this.items) {
      // An item with the focus stays, so that the focus is not lost while it is scrolled out of sight.
      if (seen.has(id) || root.contains(document.activeElement)) continue;
      root.remove();
      this.items.delete(id);
    }
    this.root.style.width = `${geometry.plotX - 6}px`;
  }

  private update({ root, pin, fold }: LaneItem, lane: LaneStripe, geometry: Geometry): void {
    root.style.transform = `translateY(${lane.y}px)`;
    root.style.height = `${lane.isFolded ? lane.height : Math.min(lane.height, 30)}px`;
    const order = geometry.lanes.indexOf(lane);
    root.style.order = String(order);
    const state = `${lane.isPinned ? ", pinned" : ""}${lane.isFolded ? ", folded" : ""}`;
    const overview = this.view.model.profile.timelines[lane.run] ?? null;
    const title = overview === null ? "" : laneTitle(lane, { overview });
    const label = `${title}${lane.stream === "" ? "" : `, ${lane.stream}`}${state}`;
    if (root.getAttribute("aria-label") === label) return;
    setAttributes(root, { "aria-label": label });
    setAttributes(pin, {
      "aria-pressed": String(lane.isPinned),
      title: lane.isPinned ? "Unpin (P)" : "Pin on top (P)",
    });
    setAttributes(fold, {
      "aria-pressed": String(lane.isFolded),
      title: lane.isFolded ? "Unfold (Z)" : "Fold (Z)",
      "aria-label": lane.isFolded ? "Unfold" : "Fold",
    });
    setText(fold, lane.isFolded ? "▸" : "▾");
  }

  private create(id: string, lane: LaneStripe): LaneItem {
    const { key } = lane;
    const pin = smallButton("Pin", "⌃", () => this.actions.pin(key));
    const fold = smallButton("Fold", "▾", () => this.actions.fold(key, !this.isFolded(key)));
    const up = smallButton("Move up", "↑", () => this.actions.move(key, -1), "Move up (Shift K)");
    const down = smallButton("Move down", "↓", () => this.actions.move(key, 1), "Move down (Shift J)");
    const root = element(
      "div",
      { class: "lane-item", role: "listitem", tabindex: 0, "data-lane": key },
      element("span", { class: "lane-buttons" }, fold, pin, up, down),
    );
    this.dragToMove(root, key);
    const item = { root, pin, fold };
    this.items.set(id, item);
    this.root.append(root);
    return item;
  }

  private isFolded(key: string): boolean {
    return this.view.geometry?.lanes.find((lane) => lane.key === key)?.isFolded ?? false;
  }

  /** A lane follows the pointer up and down, one place at a time. */
  private dragToMove(root: HTMLElement, key: string): void {
    let from: number | null = null;
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target !== root) return;
      from = event.clientY;
      root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointermove", (event) => {
      if (from === null) return;
      const by = event.clientY > from ? 1 : -1;
      const lanes = this.view.geometry?.lanes ?? [];
      const at = lanes.findIndex((lane) => lane.key === key);
      const neighbour = lanes[at + by];
      if (neighbour === undefined || Math.abs(event.clientY - from) < Math.max(LEAST_DRAG_PX, neighbour.height)) return;
      from += by * neighbour.height;
      this.actions.move(key, by);
    });
    for (const end of ["pointerup", "pointercancel"] as const)
      root.addEventListener(end, () => {
        from = null;
      });
  }
}

function smallButton(label: string, sign: string, onPress: () => void, title = label): HTMLElement {
  const button = element("button", { type: "button", class: "lane-button", "aria-label": label, title }, sign);
  button.addEventListener("click", onPress);
  return button;
}
