import { countsText } from "../../core/moduleView/moduleMarks.js";
import type { Figure } from "../../core/moduleView/protocol.js";
import { grouped } from "../../core/timeline/quantities.js";
import { element } from "../element.js";
import type { ModulesModel } from "./modulesModel.js";

/** The sums of the selection, each with its arithmetic in the hover. */
export class ModulesFooter {
  readonly root = element("footer", { class: "footer" });
  /** For screen readers: said when the sums change. */
  readonly announcer = element("div", { class: "for-readers", role: "status", "aria-live": "polite" });
  private said = "";

  show({ outline, marks, selection }: ModulesModel): void {
    if (selection === undefined) return;
    const own = marks.at(0);
    const below = marks.below(-1);
    const total = grouped(outline.size);
    const counts = below.selected === 0 && own === 0 ? "nothing selected" : countsText(below);
    const selected = `${grouped(below.selected)} of ${total} modules selected`;
    const line = below.selected === 0 ? `Nothing selected of ${total} modules` : `${selected}: ${counts}`;
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
    if (line !== this.said) this.announcer.textContent = line;
    this.said = line;
  }

  announce(text: string): void {
    this.announcer.textContent = text;
  }
}

function figureParts(label: string, { text, arithmetic }: Figure): readonly HTMLElement[] {
  return [element("div", { title: arithmetic }, element("dt", {}, label), element("dd", {}, text))];
}
