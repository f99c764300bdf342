import { element, setText } from "./element.js";

const SHOWN_MS = 4_000;

/** A line of text at the bottom that goes away by itself. The announcer says the same to screen readers. */
export class Toast {
  readonly root = element("div", { class: "toast", "aria-hidden": "true", hidden: true });
  private timer = 0;

  show(text: string): void {
    setText(this.root, text);
    this.root.hidden = false;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.root.hidden = true;
    }, SHOWN_MS);
  }
}
