import { clampRange } from "../../../core/timeline/query/visibleRange.js";
import type { TimelineView } from "../timelineView.js";

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
