import { grouped } from "../../core/base/quantities.js";
import { textButton } from "../kit/controls.js";
import { element, setText } from "../kit/element.js";
import type { ModulesModel } from "./modulesModel.js";

/** What the pick bar does when a button is pressed. */
export interface PickActions {
  apply(): void;
  copy(): void;
  revert(): void;
}

/** While ticks differ from the configuration: the pattern list that would be written, with Apply and Revert. */
export class PickBar {
  readonly root = element("section", { class: "picks", "aria-label": "Edit by picking", hidden: true });
  private readonly heading = element("div", { class: "picks-heading" });
  private readonly list = element("pre", { class: "picks-list", tabindex: 0 });
  private readonly note = element("p", { class: "note" });
  private readonly applyButton: HTMLElement;
  private readonly copyButton: HTMLElement;

  constructor(actions: PickActions) {
    this.applyButton = textButton("Apply", "Write this list into the configuration; Undo takes it back", actions.apply);
    this.applyButton.setAttribute("appearance", "primary");
    this.copyButton = textButton("Copy", "Copy this list", actions.copy);
    const revert = textButton("Revert", "Tick what the configuration selects", actions.revert);
    const buttons = element("div", { class: "picks-buttons" }, this.applyButton, this.copyButton, revert);
    this.root.append(this.heading, this.list, this.note, buttons);
  }

  show(model: ModulesModel): void {
    this.root.hidden = !model.isPicking;
    if (!model.isPicking) return;
    const { count } = model.picks;
    const { preview } = model;
    setText(
      this.heading,
      count === 1 ? "Patterns for 1 ticked module" : `Patterns for ${grouped(count)} ticked modules`,
    );
    const patterns = preview?.patterns ?? null;
    // The old list stays until the new one is there: no flicker.
    if (preview !== undefined) setText(this.list, (patterns ?? []).map((pattern) => `- ${pattern}`).join("\n"));
    this.list.hidden = preview !== undefined && patterns === null;
    setText(this.note, preview?.note ?? "");
    this.note.hidden = (preview?.note ?? null) === null;
    const hasConfig = (model.selection?.config ?? null) !== null;
    this.applyButton.hidden = !hasConfig;
    for (const button of [this.applyButton, this.copyButton]) button.toggleAttribute("disabled", patterns === null);
  }
}
