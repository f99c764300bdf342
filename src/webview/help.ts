import { EventKind } from "../core/timeline/columns.js";
import { iconButton } from "./controls.js";
import { element, icon } from "./element.js";
import { BINDINGS } from "./keys.js";
import { meaningOf } from "./theme.js";

/** The overlay behind `?`: all keys, and what the marks mean. */
export class Help {
  readonly root: HTMLElement;
  private readonly closeButton = iconButton("Close (Esc)", icon("M4 4l8 8M12 4l-8 8"), () => this.close());
  private returnTo: Element | null = null;

  constructor() {
    const keys = element("dl", { class: "help-keys" });
    for (const { shown, does } of BINDINGS)
      keys.append(element("div", {}, element("dt", {}, element("kbd", {}, shown)), element("dd", {}, does)));
    keys.append(element("div", {}, element("dt", {}, element("kbd", {}, "1 … 9")), element("dd", {}, "Choose a run")));
    const box = element(
      "div",
      { class: "help", role: "dialog", "aria-modal": "true", "aria-labelledby": "help-title" },
      element("div", { class: "help-head" }, element("h2", { id: "help-title" }, "Keys and marks"), this.closeButton),
      element("div", { class: "help-columns" }, keys, createMarks()),
    );
    this.root = element("div", { class: "help-shade", hidden: true }, box);
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.close();
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

const MARKS: readonly (readonly [number, string])[] = [
  [EventKind.kernel, "kernel"],
  [EventKind.copyD2H, "d2h"],
  [EventKind.copyH2D, "h2d"],
  [EventKind.streamWait, "stream-wait"],
  [EventKind.hostWait, "host-wait"],
  [EventKind.pinnedAllocation, "pinned"],
];

function createMarks(): HTMLElement {
  const marks = element("dl", { class: "help-marks" });
  for (const [kind, name] of MARKS)
    marks.append(element("div", {}, element("dt", { class: `mark is-${name}` }), element("dd", {}, meaningOf(kind))));
  marks.append(
    element(
      "div",
      {},
      element("dt", { class: "mark is-exposed" }),
      element("dd", {}, "exposed: a copy with no compute beside it"),
    ),
    element(
      "div",
      {},
      element("dt", { class: "mark is-dense" }),
      element("dd", {}, "paler box: several events, too narrow to tell apart"),
    ),
  );
  return marks;
}
