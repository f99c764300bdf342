import { unclearReason, unclearWord } from "../../../core/base/noise.js";
import { baselineOf, figuresOf, type RunFigure, runTitle } from "../../../core/profile/runFigures.js";
import { isStackOnly, stepScope } from "../../../core/profile/stepScope.js";
import { traceFiguresOf } from "../../../core/timeline/metrics/traceFigures.js";
import type { TimelineCommand } from "../../../core/timeline/query/protocol.js";
import { badge, iconButton, tabStrip } from "../../kit/controls.js";
import { element, icon, setAttributes, setText } from "../../kit/element.js";
import { menuButton } from "../../kit/menuButton.js";
import { deviceTitle } from "../state/deviceTitle.js";
import { runName, shortRunName } from "../state/runNames.js";
import type { ViewModel } from "../state/viewModel.js";

const TREND_MARKS = { better: "▼", worse: "▲", same: "=" } as const;
const NARROW = "(max-width: 1080px)";

/**
 * Runs or ranks as tabs, device badge, buttons, and the five figures of the run that is shown. `closing` ends what it listens
 * to beyond the model.
 */
export function createHeader(
  model: ViewModel,
  run: (command: TimelineCommand) => void,
  closing: AbortSignal,
): HTMLElement {
  const tabs = tabStrip("Runs", "run", (at) => model.showRun(at));
  const figures = element("dl", { class: "figures" });
  const buttons = createButtons(model, run);
  const narrow = window.matchMedia(NARROW);
  const show = () => {
    tabs.show(
      model.profile.timelines.map((_, at) => {
        const name = runName(model.profile, at);
        const patterns = model.profile.result?.runs[at]?.patterns;
        return {
          text: narrow.matches ? shortRunName(model.profile, at) : name,
          name,
          title: patterns ? `${name}, patterns: ${patterns.join(", ")}` : name,
        };
      }),
      model.run,
    );
    figures.replaceChildren(...createFigures(model));
  };
  model.listen((change) => {
    if (change === "run") show();
  });
  narrow.addEventListener("change", show, { signal: closing });
  show();
  return element(
    "header",
    { class: "header" },
    element("h1", { class: "for-readers" }, model.profile.fileName),
    element("div", { class: "header-line" }, tabs.root, describeSource(model), buttons),
    figures,
  );
}

function createButtons(model: ViewModel, run: (command: TimelineCommand) => void): HTMLElement {
  const toggle = (label: string, picture: SVGSVGElement, command: TimelineCommand, isOn: () => boolean) => {
    const button = iconButton(label, picture, () => run(command));
    const show = () => {
      setAttributes(button, { "aria-pressed": String(isOn()) });
      button.classList.toggle("is-on", isOn());
    };
    model.listen(show);
    show();
    return button;
  };
  const isProfile = model.profile.result !== null;
  const several = model.profile.timelines.length > 1;
  const rows = icon("M2 3h12v10H2z", "M2 6.3h12M2 9.6h12M6.5 6.3V13");
  const stacked = icon("M2 3h12v4H2zM2 9h12v4H2z", "M4 5h5M6 11h6");
  const flag = icon("M3 14V2.5h9l-2 3 2 3H3");
  return element(
    "div",
    { class: "buttons" },
    ...(isProfile ? [toggle("Table of all runs (C)", rows, "toggleSummary", () => model.isSummaryOpen)] : []),
    ...(several ? [toggle("Side by side (B)", stacked, "sideBySide", () => model.isStacked)] : []),
    toggle("Findings (G)", flag, "toggleFindings", () => model.isSideOpen),
    menuButton("Save and copy", icon("M8 2v8M5 7l3 3 3-3", "M2.5 11v2.5h11V11"), () => exportItems(model, run)),
    iconButton("Zoom in (W)", icon("M7 3a4 4 0 1 1 0 8a4 4 0 0 1 0-8z", "M10 10l4 4M5 7h4M7 5v4"), () => run("zoomIn")),
    iconButton("Zoom out (S)", icon("M7 3a4 4 0 1 1 0 8a4 4 0 0 1 0-8z", "M10 10l4 4M5 7h4"), () => run("zoomOut")),
    iconButton("Show everything (Shift+F)", icon("M2 4v8M14 4v8M4.5 8h7M6.5 6l-2 2l2 2M9.5 6l2 2l-2 2"), () =>
      run("fitAll"),
    ),
    iconButton(
      "Keys and formulas (?)",
      icon("M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1.1M8 11.6v.1", "M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 0 1 0-12.4z"),
      () => run("help"),
    ),
  );
}

function exportItems(model: ViewModel, run: (command: TimelineCommand) => void) {
  const item = (text: string, title: string, command: TimelineCommand) => ({ text, title, choose: () => run(command) });
  const filtered = model.area === null ? "that pass the table's filter" : "in the selected time that pass the filter";
  return [
    item("Copy selection (Y)", "The selected event or time, as text", "copy"),
    item("Save picture… (Shift P)", "What is on the screen, as PNG", "savePicture"),
    item("Save events as CSV… (Shift E)", `Events ${filtered}`, "exportCsv"),
    item("Save as Chrome trace… (Shift T)", "This timeline, for Perfetto and other viewers", "exportChrome"),
    ...(model.profile.kind === "trace"
      ? [item("Save as .offload… (Shift O)", "All timelines, for opening again without an import", "exportProfile")]
      : []),
    item(
      "Compare with a file… (Shift X)",
      "Compares another profile or trace with this one, in a tab of their own",
      "addFile",
    ),
  ];
}

/** Where the numbers come from: measured or simulated, on what, with which model and workload. */
function describeSource(model: ViewModel): HTMLElement {
  const { result } = model.profile;
  if (result === null) return describeTrace(model);
  const { device, model: dimensions, workload } = result;
  const deviceText = device.driver === null ? device.name : `${device.name}, driver ${device.driver}`;
  const isSimulated = device.kind === "sim";
  const made = isSimulated ? "simulated" : "measured";
  const title = isSimulated
    ? `Computed on a virtual clock with the profile of ${device.name}`
    : `Measured on ${deviceText}; matrix products: ${device.matmul}`;
  const tokens = `${workload.microBatch} × ${workload.seqLens.join("/")} tokens`;
  return element(
    "div",
    { class: "source" },
    badge(made, title),
    element("span", { class: "source-device", title }, deviceText),
    element(
      "span",
      { class: "source-model", title: `${dimensions.architecture}; ${stepScope(result)}` },
      `${dimensions.modelType}, ${dimensions.layers} layers, ${tokens}, ${isStackOnly(result) ? "stack only" : "whole step"}`,
    ),
  );
}

function describeTrace(model: ViewModel): HTMLElement {
  const device = element("span", { class: "source-device" });
  const show = () => {
    const devices = model.timeline?.devices ?? [];
    const names = [...new Set(devices.map((one) => one.name || `GPU ${one.device}`))];
    setText(device, names.join(", "));
    setAttributes(device, { title: devices.map(deviceTitle).join("\n") });
  };
  model.listen((change) => {
    if (change === "run") show();
  });
  show();
  return element(
    "div",
    { class: "source" },
    badge("trace", "Imported; nothing here was run by this extension"),
    device,
  );
}

function createFigures(model: ViewModel): HTMLElement[] {
  const { result } = model.profile;
  if (result !== null) return profileFigures(model, result);
  const { timeline } = model;
  if (timeline === null) return [];
  // Copies of one device do not hide under compute of another: of several, the figures are those of the first.
  const [first] = timeline.perDevice;
  const of = first === undefined ? "" : ` · GPU ${timeline.devices[0]?.device ?? 0}`;
  return traceFiguresOf(first ?? timeline.metrics).map(({ id, label, value, note, formula }) =>
    card(id, `${label}${of}`, value, formula, element("dd", { class: "figure-difference" }, note)),
  );
}

function profileFigures(model: ViewModel, result: NonNullable<ViewModel["profile"]["result"]>): HTMLElement[] {
  const baseline = baselineOf(result, model.run);
  return figuresOf(result, model.run).map((figure) => {
    const note = element("dd", { class: `figure-difference is-${figure.trend ?? "none"}` });
    note.append(differenceText(figure) ?? (result.runs[model.run]?.strategy === "none" ? "baseline" : "no baseline"));
    const compared = baseline === undefined ? undefined : result.runs[baseline];
    if (compared !== undefined)
      setAttributes(note, { title: `${differenceTitle(figure)}compared with ${runTitle(compared)}` });
    const { id, label, value, range, formula } = figure;
    const below = range === null ? [] : [element("dd", { class: "figure-range" }, `(${range})`)];
    return card(id, label, value, formula, note, ...below);
  });
}

/** A difference that nothing carries is neither good nor bad, and says so. */
function differenceText({ difference, trend, noise, marginSource }: RunFigure): string | null {
  if (difference === null || trend === null) return null;
  return trend === "unclear"
    ? `? ${difference}, ${unclearWord({ width: noise, source: marginSource })}`
    : `${TREND_MARKS[trend]} ${difference}`;
}

function differenceTitle({ trend, noise, marginSource }: RunFigure): string {
  return trend === "unclear" ? `${unclearReason(marginSource, noise)}; ` : "";
}

function card(
  id: string,
  label: string,
  value: string,
  formula: string,
  ...notes: readonly HTMLElement[]
): HTMLElement {
  return element(
    "div",
    { class: "figure", title: formula, "data-figure": id },
    element("dt", {}, label),
    element("dd", { class: "figure-value" }, value),
    ...notes,
  );
}
