import { counted } from "../../core/base/quantities.js";
import { badge, dropdown } from "../kit/controls.js";
import { element } from "../kit/element.js";
import type { ModulesModel } from "./modulesModel.js";

/** The model with its source and certainty, the block that decides, and what is wrong with the selection. */
export class ModulesHeader {
  readonly root = element("header", { class: "header" });
  private shown = "";

  constructor(private readonly chooseBlock: (blockPath: string) => void) {}

  show({ model, selection }: ModulesModel): void {
    // Typing changes little here: what is the same stays, with its open lists and its focus.
    const key = JSON.stringify([model.id, selection?.config, selection?.error, selection?.warnings]);
    if (key === this.shown) return;
    this.shown = key;
    const certainty = model.exact ? "exact" : "inferred";
    const hover = model.exact ? "Every name and class is known." : [...model.warnings, ...model.uncertain].join("\n");
    this.root.replaceChildren(
      element("div", { class: "title-line" }, element("h1", {}, model.title), badge(certainty, hover)),
      element("div", { class: "source", title: model.shown }, `from ${sourceText(model.source, model.shown)}`),
      ...(model.uncertain.length === 0 ? [] : [uncertainList(model.uncertain)]),
      ...this.blockParts(selection?.config ?? null),
      ...(selection?.error ? [element("p", { class: "error", role: "alert" }, selection.error)] : []),
      ...warningParts([...model.warnings, ...(selection?.warnings ?? []).map(({ message }) => message)]),
    );
  }

  private blockParts(config: NonNullable<ModulesModel["selection"]>["config"]): readonly HTMLElement[] {
    if (config === null) return [element("p", { class: "note" }, "No configuration is open; nothing is selected.")];
    const parts: HTMLElement[] = [];
    if (config.blocks.length > 1) {
      const list = dropdown(
        `Block of ${config.fileName}`,
        config.blocks.map((path) => [path, path === "" ? config.fileName : path] as const),
        this.chooseBlock,
      );
      list.setAttribute("current-value", config.blockPath);
      parts.push(list);
    } else {
      const text = config.blockPath === "" ? config.fileName : `${config.fileName} · ${config.blockPath}`;
      parts.push(element("div", { class: "source", title: text }, text));
    }
    if (!config.isOn) parts.push(element("p", { class: "note" }, "Async offload is off in this block: a preview."));
    if (config.isAutomatic) {
      parts.push(element("p", { class: "note" }, "Empty list: the framework takes the model's own layer classes."));
    }
    return parts;
  }
}

function sourceText(source: string, shown: string): string {
  const parts = shown.split(/[/\\]/).filter((part) => part !== "");
  const end = parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : shown;
  return `${source} · ${end}`;
}

function uncertainList(sentences: readonly string[]): HTMLElement {
  const count = sentences.length === 1 ? "1 thing is not certain" : `${sentences.length} things are not certain`;
  return element("details", { class: "details" }, element("summary", {}, count), listOf(sentences));
}

function warningParts(warnings: readonly string[]): readonly HTMLElement[] {
  if (warnings.length === 0) return [];
  const count = counted(warnings.length, "warning");
  const list = listOf(warnings);
  // The first one is the costliest; it is seen without a click.
  return [element("details", { class: "details is-warning", open: true }, element("summary", {}, count), list)];
}

function listOf(sentences: readonly string[]): HTMLElement {
  return element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
}
