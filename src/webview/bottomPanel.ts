import { tabStrip } from "./controls.js";
import { element, setAttributes } from "./element.js";
import type { ViewModel } from "./viewModel.js";

const RESIZE_STEP_PX = 24;

/** Details and events as two tabs below the timeline, with a bar above that makes them taller. */
export function createBottomPanel(model: ViewModel, details: HTMLElement, events: HTMLElement): HTMLElement {
  const bar = createResizeBar(model);
  const tabs = tabStrip("Selection and events", "bottom", (at) => model.showTab(at === 0 ? "details" : "events"));
  const root = element(
    "section",
    { class: "bottom", "aria-label": "Selection and events" },
    bar,
    tabs.root,
    details,
    events,
  );
  const show = () => {
    const total = model.timeline?.eventCount ?? 0;
    tabs.show(
      [
        { text: "Selection", title: "Details of the selected event (I)" },
        { text: `Events (${total})`, title: "The timeline as a table (E)" },
      ],
      model.tab === "details" ? 0 : 1,
    );
    details.hidden = model.tab !== "details";
    events.hidden = model.tab !== "events";
    root.style.height = `${model.bottomPx}px`;
    setAttributes(bar, { "aria-valuenow": model.bottomPx });
  };
  model.listen((change) => {
    if (change !== "range" && change !== "selection") show();
  });
  show();
  return root;
}

function createResizeBar(model: ViewModel): HTMLElement {
  const bar = element("div", {
    class: "resize-bar",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "horizontal",
    "aria-label": "Height of the panel below",
    "aria-valuemin": 96,
  });
  let from: { y: number; height: number } | null = null;
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    from = { y: event.clientY, height: model.bottomPx };
  });
  bar.addEventListener("pointermove", (event) => {
    if (from !== null) model.resizeBottom(from.height + from.y - event.clientY);
  });
  bar.addEventListener("pointerup", () => {
    from = null;
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowUp: RESIZE_STEP_PX, ArrowDown: -RESIZE_STEP_PX }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    model.resizeBottom(model.bottomPx + step);
  });
  return bar;
}
