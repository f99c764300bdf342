import { formatBytes, grouped } from "../../core/base/quantities.js";
import { countsText, ModuleMark, type ModuleMarkValue } from "../../core/modules/view/moduleMarks.js";
import type { TickState } from "../../core/modules/view/modulePicks.js";
import { matchesOf, type VisibleRow } from "../../core/modules/view/visibleRows.js";
import { element, setAttributes } from "../kit/element.js";
import { copyIcon, markIcon, markName, tickIcon, twistyIcon } from "./moduleIcons.js";
import type { ModulesModel } from "./modulesModel.js";

/** Which part of a line was pressed. */
export type RowPart = "twisty" | "box" | "copy" | "line";

/** What a line says about the selection. */
interface Status {
  readonly mark: ModuleMarkValue;
  readonly text: string;
  /** Offload index, `#3`. */
  readonly index: string;
  readonly bytes: string;
  /** Selected modules further inside, shown while they are not visible. */
  readonly inside: string;
  readonly title: string;
  /** It is about ticks that the configuration does not have yet. */
  readonly isChange?: boolean;
}

const checked: Readonly<Record<TickState, string>> = { all: "true", some: "mixed", none: "false" };

/** One line of the tree as an element. */
export function createTreeRow(model: ModulesModel, row: VisibleRow): HTMLElement {
  const status = row.run === undefined ? statusOfModule(model, row) : statusOfRun(model, row);
  const tick = model.picks.stateOf(row);
  const name = row.position === 0 && row.label === "" ? "(model)" : row.label;
  const type = row.type ?? "";
  const count = row.run === undefined ? "" : `×${grouped(row.run.count)}`;
  const found = model.filter === undefined || row.isOpen ? 0 : matchesOf(model.outline, model.filter, row);
  const line = element("div", {
    class: "row",
    role: "treeitem",
    id: rowId(row.id),
    title: titleOf(model, row, status),
  });
  setAttributes(line, {
    "aria-level": row.level,
    "aria-setsize": row.setSize,
    "aria-posinset": row.placeInSet,
    "aria-selected": String(row.id === model.focusedId),
    "aria-expanded": row.canOpen ? String(row.isOpen) : false,
    "aria-checked": tick === undefined ? false : checked[tick],
    "aria-label": [name, type, count, status.text, status.index, status.bytes, status.inside]
      .filter(Boolean)
      .join(", "),
  });
  line.style.setProperty("--level", String(row.level - 1));
  line.append(
    element("span", { class: "twisty", "data-part": "twisty" }, ...(row.canOpen ? [twistyIcon(row.isOpen)] : [])),
    boxOf(tick),
    element(
      "span",
      { class: "label" },
      element("span", { class: "name" }, name),
      element("span", { class: "type" }, type),
      ...(count === "" ? [] : [element("span", { class: "count" }, count)]),
    ),
    ...(found > 1 ? [element("span", { class: "inside" }, `${grouped(found)} found`)] : []),
    ...(status.inside === "" ? [] : [element("span", { class: "inside" }, status.inside)]),
    ...statusParts(status),
    element("span", { class: "copy", "data-part": "copy", title: "Copy as pattern (Ctrl+C)" }, copyIcon()),
  );
  if (status.mark !== ModuleMark.none) line.classList.add("is-selected");
  return line;
}

/** Ids of elements cannot be negative numbers only. */
export function rowId(id: number): string {
  return id < 0 ? `run-${-1 - id}` : `module-${id}`;
}

/** The part of a line that an event happened on. */
export function partOf(target: EventTarget | null): RowPart {
  const part = target instanceof Element ? target.closest("[data-part]")?.getAttribute("data-part") : null;
  return part === "twisty" || part === "box" || part === "copy" ? part : "line";
}

function boxOf(tick: TickState | undefined): HTMLElement {
  if (tick === undefined) return element("span", { class: "no-box" });
  const mark = tick === "none" ? [] : [tickIcon(tick === "all")];
  return element("span", { class: `box is-${tick}`, "data-part": "box" }, ...mark);
}

function statusParts(status: Status): readonly HTMLElement[] {
  if (status.text === "") return [];
  return [
    element(
      "span",
      { class: status.isChange === true ? "status is-change" : `status is-mark-${status.mark}` },
      ...(status.mark === ModuleMark.none ? [] : [markIcon(status.mark)]),
      status.text,
    ),
    ...(status.index === "" ? [] : [element("span", { class: "index" }, status.index)]),
    ...(status.bytes === "" ? [] : [element("span", { class: "bytes" }, status.bytes)]),
  ];
}

const shortNames: Readonly<Record<ModuleMarkValue, string>> = {
  [ModuleMark.none]: "",
  [ModuleMark.moves]: "moves",
  [ModuleMark.stays]: "stays",
  [ModuleMark.nothing]: "no effect",
  [ModuleMark.unknown]: "unknown",
};

function statusOfModule(model: ModulesModel, row: VisibleRow): Status {
  const own = model.selectedAt(row.position);
  const below = row.isOpen ? 0 : model.marks.below(row.position).selected;
  const inside = below === 0 ? "" : `${grouped(below)} inside`;
  const change = model.changeAt(row.position);
  if (change !== undefined) {
    const title = change === "added" ? "Ticked, not yet in the configuration" : "Unticked, still in the configuration";
    return { mark: ModuleMark.none, text: change, index: "", bytes: "", inside, title, isChange: true };
  }
  if (own === undefined)
    return { mark: ModuleMark.none, text: "", index: "", bytes: "", inside, title: "Not selected" };
  const bytes = own.mark === ModuleMark.moves && own.bytes !== null ? formatBytes(own.bytes) : "";
  return {
    mark: own.mark,
    text: shortNames[own.mark],
    index: `#${own.index}`,
    bytes,
    inside,
    title: `Offload index ${own.index}: ${markName(own.mark)}${bytes === "" ? "" : `, ${bytes} in a step`}; ${own.reason}`,
  };
}

function statusOfRun(model: ModulesModel, row: VisibleRow): Status {
  const { run } = row;
  const empty: Status = { mark: ModuleMark.none, text: "", index: "", bytes: "", inside: "", title: "Not selected" };
  if (run === undefined) return empty;
  const counts = model.marks.ofMembers(run);
  const insideCount = model.marks.insideMembers(run).selected;
  const inside = insideCount === 0 || row.isOpen ? "" : `${grouped(insideCount)} inside`;
  const members = model.outline.membersOf(run);
  if (members.some((member) => model.changeAt(member) !== undefined)) {
    const ticked = members.filter((member) => model.picks.has(member)).length;
    const text = `${grouped(ticked)} of ${grouped(run.count)} ticked`;
    return { ...empty, text, inside, title: "Ticks differ from the configuration", isChange: true };
  }
  const container = row.container < 0 ? undefined : model.selectedAt(row.container);
  if (counts.selected === 0 && container === undefined) return { ...empty, inside };
  if (counts.selected === 0) {
    const title = "The container itself is selected; it is never called, so nothing is offloaded.";
    return { ...empty, mark: ModuleMark.nothing, text: "container only", inside, title };
  }
  const mark = counts.moves > 0 ? ModuleMark.moves : counts.stays > 0 ? ModuleMark.stays : ModuleMark.nothing;
  const moved = bytesOf(model, row);
  const title = `${counts.selected} of ${run.count} selected${moved === "" ? "" : `, ${moved} in a step`}`;
  return { mark, text: countsText(counts), index: "", bytes: moved, inside, title };
}

function bytesOf(model: ModulesModel, { run }: VisibleRow): string {
  let sum = 0;
  for (const member of run === undefined ? [] : model.outline.membersOf(run)) {
    const own = model.selectedAt(member);
    if (own?.mark !== ModuleMark.moves) continue;
    if (own.bytes === null) return "";
    sum += own.bytes;
  }
  return sum === 0 ? "" : formatBytes(sum);
}

function titleOf({ outline }: ModulesModel, row: VisibleRow, status: Status): string {
  const first = outline.nameAt(row.position);
  const name = row.run === undefined ? first || "the model itself" : `${first} to ${outline.nameAt(row.run.last)}`;
  return `${name}\n${row.type ?? "class not known"}\n${status.title}`;
}
