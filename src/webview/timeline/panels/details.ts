import { formatBytes, formatExactBytes, formatNs, formatRate, formatShare } from "../../../core/base/quantities.js";
import { FlowKind } from "../../../core/timeline/columns/columns.js";
import { ROLE_NAMES } from "../../../core/timeline/columns/laneWork.js";
import { NOT_RECORDED } from "../../../core/timeline/metrics/copySizes.js";
import type { EventDetails, EventLink } from "../../../core/timeline/query/protocol.js";
import { textButton } from "../../kit/controls.js";
import { element } from "../../kit/element.js";
import type { ViewModel } from "../state/viewModel.js";
import { meaningOf } from "../theme.js";

/** What the details can ask for. */
export interface DetailsActions {
  fit(): void;
  next(): void;
  previous(): void;
  /** Selects another event of the same run. */
  go(event: number): void;
}

/** Everything about the selected event. */
export function createDetails(model: ViewModel, actions: DetailsActions): HTMLElement {
  const root = element("div", { class: "details", tabindex: 0 });
  const show = () => {
    const event = model.selected;
    root.replaceChildren(
      ...(event === null ? [emptyHint()] : describe(event, model.profile.kind === "profile", actions)),
    );
  };
  model.listen((change) => {
    if (change === "selection" || change === "run") show();
  });
  show();
  return root;
}

function emptyHint(): HTMLElement {
  const key = (name: string) => element("kbd", {}, name);
  return element(
    "p",
    { class: "hint" },
    "Click an event, or press ",
    key("."),
    " for the first one in view. ",
    key("W"),
    " ",
    key("S"),
    " zoom, ",
    key("A"),
    " ",
    key("D"),
    " pan, ",
    key("F"),
    " fits, ",
    key("?"),
    " lists all keys.",
  );
}

function describe(event: EventDetails, isRecorded: boolean, actions: DetailsActions): HTMLElement[] {
  const facts = element("dl", { class: "facts" });
  const fact = (label: string, value: Node | string, title = "") =>
    facts.append(element("div", { title }, element("dt", {}, label), element("dd", {}, value)));
  fact("Kind", meaningOf(event.kind));
  fact("Lane", laneName(event));
  fact("Layer", event.layer < 0 ? "none" : String(event.layer));
  fact("Start", formatNs(event.startNs), `${event.startNs} ns after the start of the step`);
  fact("Duration", formatNs(event.durationNs), `${event.durationNs} ns`);
  if (event.bytes === null) fact("Bytes", NOT_RECORDED);
  else if (event.bytes > 0) fact("Bytes", formatBytes(event.bytes), formatExactBytes(event.bytes));
  if (event.hiddenNs !== null) {
    fact("Rate", formatRate(event.bytes ?? 0, event.durationNs) || "–", "bytes ÷ duration, 10⁹ bytes per second");
    const share = event.durationNs > 0 ? ` (${formatShare(event.hiddenNs / event.durationNs)})` : "";
    fact("Hidden", `${formatNs(event.hiddenNs)}${share}`, "part of the duration under compute");
    fact("Exposed", formatNs(event.durationNs - event.hiddenNs), "duration − hidden");
  }
  // Traces do not say what an event waited for; only our own recorder does.
  if (event.waitedFor !== null) fact("Waited for", linkTo(event.waitedFor, actions));
  else if (isRecorded) fact("Waited for", "nothing");
  if (event.process !== null) fact("Process", event.process);
  if (event.correlation !== 0)
    fact(
      "Correlation",
      String(event.correlation),
      "What a launch on the host and its work on the device have in common",
    );
  if (event.flows.length > 0) fact("Linked with", linksTo(event, actions));
  const buttons = element(
    "div",
    { class: "buttons" },
    textButton("Previous", "Previous event of this lane (,)", actions.previous),
    textButton("Next", "Next event of this lane (.)", actions.next),
    textButton("Fit", "Zoom to this event (F)", actions.fit),
  );
  return [
    element(
      "div",
      { class: "details-title" },
      element("h2", { title: cutName(event.name) }, cutName(event.name)),
      buttons,
    ),
    facts,
  ];
}

/** No panel has room for more of a name. */
const MOST_LETTERS = 2_000;

/** A name as panels show it; a trace can hold names of a megabyte. */
export function cutName(name: string): string {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name;
}

/** A stream that is called like its lane is named once. */
function laneName({ role, stream, device }: EventDetails): string {
  const isRepeated = stream === "" || stream.toLowerCase() === ROLE_NAMES[role].toLowerCase();
  const name = isRepeated ? ROLE_NAMES[role] : `${ROLE_NAMES[role]} · ${stream}`;
  return device === null ? name : `${name} · GPU ${device}`;
}

/** More links than this make the facts unreadable; the arrows show all. */
const MOST_LINKS = 6;

const FLOW_WORDS: Readonly<Record<number, readonly [string, string]>> = {
  [FlowKind.launch]: ["started", "started by"],
  [FlowKind.forwardBackward]: ["in backward", "in forward"],
};

function linksTo({ flows }: EventDetails, actions: DetailsActions): HTMLElement {
  const shown = flows.slice(0, MOST_LINKS).map((flow) => {
    const [to, from] = FLOW_WORDS[flow.kind] ?? ["to", "from"];
    const word = flow.direction === "to" ? to : from;
    return element("span", { class: "flow" }, `${word} `, linkButton(flow, actions));
  });
  const rest = flows.length - shown.length;
  return element("span", { class: "flows" }, ...shown, ...(rest > 0 ? [`and ${rest} more`] : []));
}

function linkButton(link: EventLink, actions: DetailsActions): HTMLElement {
  const title = `Select it: ${formatNs(link.startNs)} to ${formatNs(link.endNs)} on ${link.stream}`;
  const button = element("button", { type: "button", class: "link", title }, cutName(link.name) || "unnamed");
  button.addEventListener("click", () => actions.go(link.event));
  return button;
}

function linkTo(cause: EventLink, actions: DetailsActions): HTMLElement {
  return element("span", {}, linkButton(cause, actions), ` on ${cause.stream}, until ${formatNs(cause.endNs)}`);
}
