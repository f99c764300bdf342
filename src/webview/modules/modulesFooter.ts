import { counted, grouped } from "../../core/base/quantities.js";
import { countsText } from "../../core/modules/view/moduleMarks.js";
import type { Figure } from "../../core/modules/view/protocol.js";
import { element, setText } from "../kit/element.js";
import type { ModulesModel } from "./modulesModel.js";

/** The sums of the selection, each with its arithmetic in the hover. */
export class ModulesFooter {
  readonly root = element("footer", { class: "footer" });
  /** For screen readers: said when the sums change. */
  readonly announcer = element("div", { class: "for-readers", role: "status", "aria-live": "polite" });
  private said = "";

  show({ outline, marks, selection, isPicking }: ModulesModel): void {
    if (selection === undefined) return;
    const counts = marks.total;
    const size = counted(outline.size, "module");
    const sums =
      counts.selected === 0
        ? `Nothing selected of ${size}`
        : `${grouped(counts.selected)} of ${size} selected: ${countsText(counts)}`;
    const line = isPicking ? `As written: ${sums}` : sums;
    this.root.replaceChildren(
      element("div", { class: "sums" }, line),
      element(
        "dl",
        { class: "figures" },
        ...figureParts("Frees after forward", selection.freed),
        ...figureParts("Pinned buffers", selection.pinned),
      ),
      ...(selection.config === null ? [] : [element("div", { class: "muted" }, `for ${selection.config.workload}`)]),
    );
    if (line !== this.said) setText(this.announcer, line);
    this.said = line;
  }

  announce(text: string): void {
    setText(this.announcer, text);
  }
}

function figureParts(label: string, { text, arithmetic }: Figure): readonly HTMLElement[] {
  return [element("div", { title: arithmetic }, element("dt", {}, label), element("dd", {}, text))];
}
