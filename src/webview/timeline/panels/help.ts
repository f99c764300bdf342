import { EventKind } from "../../../core/timeline/columns/eventKind.js";
import { FORMULAS } from "../../../core/timeline/metrics/formulas.js";
import { iconButton } from "../../kit/controls.js";
import { element, icon } from "../../kit/element.js";
import { BINDINGS } from "../keyBindings.js";
import { MARKS } from "../theme.js";

/** The overlay behind `?`: all keys, what the marks mean, and the formulas of all metrics. */
export class Help {
  readonly root: HTMLElement;
  private readonly closeButton = iconButton("Close (Esc)", icon("M4 4l8 8M12 4l-8 8"), () => this.close());
  private returnTo: Element | null = null;

  constructor() {
    const box = element(
      "div",
      { class: "help", role: "dialog", "aria-modal": "true", "aria-labelledby": "help-title", tabindex: -1 },
      element(
        "div",
        { class: "help-head" },
        element("h2", { id: "help-title" }, "Keys, marks and formulas"),
        this.closeButton,
      ),
      element("div", { class: "help-columns" }, createKeys(), createMarks()),
      element("h3", {}, "Formulas"),
      createFormulas(),
    );
    this.root = element("div", { class: "help-shade", hidden: true }, box);
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.close();
    });
    // A modal dialog keeps the focus: its only control is the button that closes it, and the box itself scrolls.
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Tab") return;
      event.preventDefault();
      (document.activeElement === box ? this.closeButton : box).focus();
    });
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  toggle(): void {
    if (this.isOpen) {
      this.close();
      return;
    }
    this.returnTo = document.activeElement;
    this.root.hidden = false;
    this.closeButton.focus();
  }

  close(): void {
    this.root.hidden = true;
    if (this.returnTo instanceof HTMLElement) this.returnTo.focus();
  }
}

function createKeys(): HTMLElement {
  const keys = element("dl", { class: "help-keys" });
  const line = (shown: string, does: string) =>
    keys.append(element("div", {}, element("dt", {}, element("kbd", {}, shown)), element("dd", {}, does)));
  for (const { shown, does } of BINDINGS) line(shown, does);
  line("/", "Search: name, lane, stream, duration, bytes");
  line("?", "This help");
  line("1 … 9", "Choose a run or rank");
  line("↑ ↓", "In the table: select; on the timeline: scroll");
  return keys;
}

/** Left out: what is drawn like another mark, or so rarely that it explains itself where it is. */
const UNEXPLAINED: readonly number[] = [EventKind.memset, EventKind.pythonFrame, EventKind.doubtful];

const OTHER_MARKS: readonly (readonly [string, string])[] = [
  ["exposed", "exposed: a copy with no compute beside it"],
  ["dense", "paler box: several events, too narrow to tell apart"],
  ["match", "bar along the upper edge: the search found this event"],
  ["violation", "red frames and arrow: the second began before the first was done"],
];

function createMarks(): HTMLElement {
  const marks = element("dl", { class: "help-marks" });
  for (const { kind, colour, pattern, meaning } of MARKS) {
    if (UNEXPLAINED.includes(kind)) continue;
    const isWait = kind === EventKind.streamWait || kind === EventKind.hostWait;
    const look = `mark in-${colour} is-${pattern}${isWait ? " is-wait" : ""}`;
    marks.append(element("div", {}, element("dt", { class: look }), element("dd", {}, meaning)));
  }
  for (const [name, text] of OTHER_MARKS)
    marks.append(element("div", {}, element("dt", { class: `mark is-${name}` }), element("dd", {}, text)));
  return marks;
}

function createFormulas(): HTMLElement {
  const list = element("dl", { class: "help-formulas" });
  for (const { name, formula } of Object.values(FORMULAS))
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, formula)));
  return list;
}
