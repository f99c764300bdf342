import { formatNs, grouped } from "../../../core/base/quantities.js";
import type { Finding } from "../../../core/timeline/query/finding.js";
import { formatApart } from "../../../core/timeline/query/ticks.js";
import { element, setAttributes, setText } from "../../kit/element.js";
import type { FindingsData } from "../state/findingsData.js";
import type { ViewModel } from "../state/viewModel.js";

/** What a finding can lead to. */
export interface FindingActions {
  show(at: number): void;
  go(event: number): void;
  showSetting(key: string): void;
}

const SEVERITIES = { error: "✖ Error", warning: "⚠ Warning", information: "ℹ Note" } as const;
/** More events than this are in the table, not in the list. */
const MOST_EVENTS = 8;

/** The list at the right: wrong orders first, then time lost, then explanations; each leads to its events and settings. */
export function createFindingsPanel(model: ViewModel, data: FindingsData, actions: FindingActions): HTMLElement {
  const list = element("ul", { class: "finding-list" });
  const state = element("p", { class: "hint" });
  const title = element("h2", {}, "Findings");
  const root = element("aside", { class: "side", "aria-label": "Findings", tabindex: 0 }, title, state, list);
  const show = () => {
    root.hidden = !model.isSideOpen;
    const { current } = data;
    setText(title, current === null ? "Findings" : `Findings (${current.findings.length})`);
    setText(state, current === null ? stateOf(model) : "Nothing stands out.");
    state.hidden = current !== null && current.findings.length > 0;
    list.replaceChildren(
      ...(current?.findings ?? []).map((finding, at) => createItem(finding, at, at === model.finding, actions)),
    );
    if (model.finding !== null) list.children[model.finding]?.scrollIntoView({ block: "nearest" });
  };
  data.listen(show);
  model.listen((change) => {
    if (change === "side" || change === "finding") show();
  });
  show();
  return root;
}

function stateOf(model: ViewModel): string {
  return model.timeline === null ? "No timeline was recorded for this run." : "Looking …";
}

function createItem(finding: Finding, at: number, isOpen: boolean, actions: FindingActions): HTMLElement {
  const { severity, message, costNs, eventCount } = finding;
  const head = element(
    "button",
    { type: "button", class: "finding-head", "aria-expanded": String(isOpen), title: finding.code },
    element("span", { class: `severity is-${severity}` }, SEVERITIES[severity]),
    ...(costNs === null || costNs === 0
      ? []
      : [element("span", { class: "finding-cost", title: "Time that could be won at most" }, formatNs(costNs))]),
    element("span", { class: "finding-message" }, message),
  );
  head.addEventListener("click", () => actions.show(at));
  const item = element("li", { class: isOpen ? "finding is-open" : "finding", "data-code": finding.code }, head);
  if (!isOpen) return item;
  item.append(element("p", { class: "finding-text" }, finding.explanation));
  if (finding.events.length > 0) item.append(createEvents(finding, eventCount, actions));
  for (const key of finding.configKeys) item.append(createSetting(key, actions));
  return item;
}

function createEvents(finding: Finding, total: number, actions: FindingActions): HTMLElement {
  const events = finding.events.slice(0, MOST_EVENTS);
  const times = formatApart(events.map(({ startNs }) => startNs));
  const shown = events.map((event, at) => {
    const button = element(
      "button",
      { type: "button", class: "link", title: `${event.startNs} ns on ${event.stream}, ${event.durationNs} ns long` },
      // The time first: a long name is cut, and events of one finding often share it.
      `${times[at] ?? ""} · ${event.name.slice(0, 200) || "unnamed"}`,
    );
    button.addEventListener("click", () => actions.go(event.event));
    return element("li", {}, button);
  });
  const rest = total - shown.length;
  if (rest > 0) shown.push(element("li", { class: "muted" }, `and ${grouped(rest)} more`));
  return element("ul", { class: "finding-events", "aria-label": "Events" }, ...shown);
}

function createSetting(key: string, actions: FindingActions): HTMLElement {
  const button = element("button", { type: "button", class: "link" }, key);
  setAttributes(button, { title: "Show this setting in an open config" });
  button.addEventListener("click", () => actions.showSetting(key));
  return element("p", { class: "finding-setting" }, "Setting: ", button);
}
