import { fitNote, fitRows } from "../../core/sweep/fitText.js";
import type { SweepHostMessage } from "../../core/sweep/sweepProtocol.js";
import { element } from "../kit/element.js";

/** What is asked beside the grid: what of the job fits, and which single keys would lower its peak. Hidden until it is known. */
export class Beside {
  readonly root = element("section", { class: "beside" });

  constructor() {
    this.clear();
  }

  clear(): void {
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  show({ levers, fits }: Extract<SweepHostMessage, { type: "beside" }>): void {
    this.clear();
    const [heading, ...titles] = levers;
    if (fits !== null) {
      const [heads = [], ...rows] = fitRows(fits);
      const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
      const body = rows.map(([title = "", ...cells]) =>
        element("tr", {}, element("th", { scope: "row" }, title), ...cells.map((text) => element("td", {}, text))),
      );
      const table = element("table", { class: "fits" }, element("thead", {}, head), element("tbody", {}, ...body));
      this.root.append(table, element("p", { class: "muted" }, fitNote()));
    }
    if (heading !== undefined) {
      const list = element("ol", { class: "levers" }, ...titles.map((title) => element("li", {}, title)));
      this.root.append(element("h2", {}, heading), list);
    }
    this.root.hidden = this.root.childElementCount === 0;
  }
}
