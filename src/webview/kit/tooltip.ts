import { element } from "./element.js";

/** One line of a tooltip: a name and a value, or a sentence. */
export type TooltipLine = readonly [string, string] | string;

/** Longer names would fill the page. */
const MOST_LETTERS = 400;

/** A box of text beside the pointer. It repeats what the details panel says, so it is hidden from screen readers. */
export class Tooltip {
  readonly root = element("div", { class: "tooltip", "aria-hidden": "true" });

  show(title: string, lines: readonly TooltipLine[], x: number, y: number): void {
    const rows = lines.map((line) =>
      typeof line === "string"
        ? element("div", { class: "tooltip-note" }, line)
        : element("div", { class: "tooltip-row" }, element("span", {}, line[0]), element("b", {}, line[1])),
    );
    this.root.replaceChildren(element("div", { class: "tooltip-title" }, title.slice(0, MOST_LETTERS)), ...rows);
    this.root.style.display = "block";
    this.place(x, y);
  }

  hide(): void {
    this.root.style.display = "none";
  }

  /** Right below the pointer, or on its other side where the page ends. */
  private place(x: number, y: number): void {
    const { offsetWidth, offsetHeight } = this.root;
    const left = x + 14 + offsetWidth > window.innerWidth ? x - 14 - offsetWidth : x + 14;
    const top = y + 16 + offsetHeight > window.innerHeight ? y - 10 - offsetHeight : y + 16;
    this.root.style.left = `${Math.max(4, left)}px`;
    this.root.style.top = `${Math.max(4, top)}px`;
  }
}
