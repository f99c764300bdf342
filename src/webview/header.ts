import { baselineOf, figuresOf, runTitle } from "../core/timeline/runFigures.js";
import { badge, iconButton, tabStrip } from "./controls.js";
import { element, icon, setAttributes } from "./element.js";
import type { ViewModel } from "./viewModel.js";

/** Actions of the buttons at the right of the tabs. */
export interface HeaderActions {
  zoomIn(): void;
  zoomOut(): void;
  fitAll(): void;
  help(): void;
}

const TREND_MARKS = { better: "▼", worse: "▲", same: "=" } as const;

/** Strategy tabs, device badge, buttons, and the five figures of the run that is shown. */
export function createHeader(model: ViewModel, actions: HeaderActions): HTMLElement {
  const { result } = model.profile;
  const tabs = tabStrip("Runs", "run", (run) => model.showRun(run));
  const figures = element("dl", { class: "figures" });
  const compare = iconButton("Compare all runs (C)", icon("M2 3h12v10H2z", "M2 6.3h12M2 9.6h12M6.5 6.3V13"), () =>
    model.toggleSummary(),
  );
  const show = () => {
    tabs.show(
      (result?.runs ?? []).map((run) => ({
        text: runTitle(run),
        title: run.patterns === null ? "" : `patterns: ${run.patterns.join(", ")}`,
      })),
      model.run,
    );
    setAttributes(compare, { "aria-expanded": String(model.isSummaryOpen) });
    figures.replaceChildren(...createFigures(model));
  };
  model.listen((change) => {
    if (change === "run" || change === "summary") show();
  });
  show();
  const buttons = element(
    "div",
    { class: "buttons" },
    compare,
    iconButton("Zoom in (W)", icon("M7 3a4 4 0 1 1 0 8a4 4 0 0 1 0-8z", "M10 10l4 4M5 7h4M7 5v4"), actions.zoomIn),
    iconButton("Zoom out (S)", icon("M7 3a4 4 0 1 1 0 8a4 4 0 0 1 0-8z", "M10 10l4 4M5 7h4"), actions.zoomOut),
    iconButton(
      "Show the whole step (Shift+F)",
      icon("M2 4v8M14 4v8M4.5 8h7M6.5 6l-2 2l2 2M9.5 6l2 2l-2 2"),
      actions.fitAll,
    ),
    iconButton(
      "Keys (?)",
      icon("M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1.1M8 11.6v.1", "M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 0 1 0-12.4z"),
      actions.help,
    ),
  );
  return element(
    "header",
    { class: "header" },
    element("div", { class: "header-line" }, tabs.root, describeSource(model), buttons),
    figures,
  );
}

/** Where the numbers come from: measured or simulated, on what, with which model and workload. */
function describeSource(model: ViewModel): HTMLElement {
  const { result } = model.profile;
  if (result === null) return element("div", { class: "source" }, model.profile.fileName);
  const { device, model: dimensions, workload } = result;
  const isSimulated = device.kind === "sim";
  const made = isSimulated ? "simulated" : "measured";
  const title = isSimulated
    ? `Computed on a virtual clock with the profile of ${device.name}`
    : `Measured on ${device.name}${device.driver === null ? "" : `, driver ${device.driver}`}; matrix products: ${device.matmul}`;
  const tokens = `${workload.microBatch} × ${workload.seqLens.join("/")} tokens`;
  return element(
    "div",
    { class: "source" },
    badge(made, title),
    element("span", { class: "source-device", title }, device.name),
    element(
      "span",
      { class: "source-model", title: dimensions.architecture },
      `${dimensions.modelType}, ${dimensions.layers} layers, ${tokens}`,
    ),
  );
}

function createFigures(model: ViewModel): HTMLElement[] {
  const { result } = model.profile;
  if (result === null) return [];
  const baseline = baselineOf(result, model.run);
  return figuresOf(result, model.run).map((figure) => {
    const card = element(
      "div",
      { class: "figure", title: figure.formula, "data-figure": figure.id },
      element("dt", {}, figure.label),
      element("dd", { class: "figure-value" }, figure.value),
    );
    const note = element("dd", { class: `figure-difference is-${figure.trend ?? "none"}` });
    if (figure.difference === null || figure.trend === null)
      note.append(result.runs[model.run]?.strategy === "none" ? "baseline" : "no baseline");
    else note.append(`${TREND_MARKS[figure.trend]} ${figure.difference}`);
    if (baseline !== undefined)
      note.title = `compared with ${runTitle(result.runs[baseline] ?? result.runs[0] ?? never())}`;
    card.append(note);
    return card;
  });
}

function never(): never {
  throw new Error("a profile without runs was shown");
}
