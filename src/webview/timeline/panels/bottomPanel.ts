import { grouped } from "../../../core/base/quantities.js";
import { type TabLabel, tabStrip } from "../../kit/controls.js";
import { element, setAttributes } from "../../kit/element.js";
import type { BottomTab } from "../state/storedView.js";
import type { ViewModel } from "../state/viewModel.js";

const RESIZE_STEP_PX = 24;

const LABELS: Readonly<Record<BottomTab, TabLabel>> = {
  details: { text: "Selection", title: "Details of the selected event (I)" },
  events: { text: "Events", title: "The timeline as a table (E)" },
  metrics: { text: "Metrics", title: "Sums of the selected time, else of everything (T)" },
  compare: { text: "Compare", title: "Two runs or files and their differences (X)" },
  report: { text: "Import", title: "What the import kept, repaired and dropped (U)" },
};

/** Pages below the timeline as tabs, with a bar above that makes them taller. */
export function createBottomPanel(model: ViewModel, pages: Readonly<Record<BottomTab, HTMLElement>>): HTMLElement {
  const bar = createResizeBar(model);
  const shown = model.tabs;
  const tabs = tabStrip("Selection and events", "bottom", (at) => model.showTab(shown[at] ?? "details"));
  shown.forEach((tab, at) => {
    setAttributes(pages[tab], {
      id: `page-${tab}`,
      role: "tabpanel",
      "aria-labelledby": `bottom-${at}`,
      "data-page": tab,
    });
  });
  const root = element(
    "section",
    { class: "bottom", "aria-label": "Selection and events" },
    bar,
    tabs.root,
    ...shown.map((tab) => pages[tab]),
  );
  const show = () => {
    const active = Math.max(0, shown.indexOf(model.tab));
    tabs.show(
      shown.map((tab) => ({ ...LABELS[tab], text: textOf(model, tab), controls: `page-${tab}` })),
      active,
    );
    for (const tab of shown) pages[tab].hidden = tab !== (shown[active] ?? "details");
    root.style.height = `${model.bottomPx}px`;
    setAttributes(bar, { "aria-valuenow": model.bottomPx });
  };
  model.listen((change) => {
    if (change === "run" || change === "tab" || change === "bottom" || change === "area") show();
  });
  show();
  return root;
}

function textOf(model: ViewModel, tab: BottomTab): string {
  if (tab === "events") return `Events (${grouped(model.timeline?.eventCount ?? 0)})`;
  return tab === "metrics" && model.area !== null ? "Metrics of selection" : LABELS[tab].text;
}

function createResizeBar(model: ViewModel): HTMLElement {
  const bar = element("div", {
    class: "resize-bar",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "horizontal",
    "aria-label": "Height of the panel below",
    "aria-valuemin": 96,
    "aria-valuemax": Math.round(window.innerHeight * 0.6),
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
