import type { VisibleRow } from "../../core/modules/view/visibleRows.js";
import { element } from "../kit/element.js";
import { VirtualRows } from "../kit/virtualRows.js";
import type { ModulesModel } from "./modulesModel.js";
import { createTreeRow, partOf, rowId } from "./treeRow.js";

const ROW_PX = 22;
/** Longer pauses start a new word. */
const TYPEAHEAD_MS = 700;

/** What the list asks of its surroundings. */
export interface TreeListActions {
  /** Copies the pattern for these rows of the module list. */
  copy(rows: readonly number[]): void;
  /** The keys of the filter box. */
  find(): void;
}

/**
 * The module tree as a list of which only the visible part exists. One stop for Tab; inside, the keys of the ARIA tree: arrows,
 * Home, End, page keys, letters, Space ticks, Enter opens.
 */
export class TreeList {
  readonly root = element("div", {
    class: "tree",
    role: "tree",
    tabindex: 0,
    "aria-label": "Modules",
  });
  private readonly lines = new VirtualRows(this.root, { rowPx: ROW_PX, role: "none", onMove: () => this.draw() });
  private model: ModulesModel | undefined;
  private typed = "";
  private typedAt = 0;

  constructor(private readonly actions: TreeListActions) {
    this.root.addEventListener("click", (event) => this.onClick(event));
    this.root.addEventListener("dblclick", (event) => this.onDoubleClick(event));
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(model: ModulesModel): void {
    if (model !== this.model) this.lines.toStart();
    this.model = model;
    this.draw();
  }

  private draw(): void {
    const { model } = this;
    if (model === undefined) return;
    const { rows } = model;
    this.lines.total = rows.length;
    const { first, count } = this.lines.wanted;
    const shown = rows.slice(first, first + count);
    this.lines.show(
      first,
      shown.map((row) => createTreeRow(model, row)),
    );
    const isShown = shown.some(({ id }) => id === model.focusedId);
    if (isShown) this.root.setAttribute("aria-activedescendant", rowId(model.focusedId));
    else this.root.removeAttribute("aria-activedescendant");
  }

  private rowOf(event: Event): VisibleRow | undefined {
    const line = event.target instanceof Element ? event.target.closest(".row") : null;
    return this.model?.rows.find(({ id }) => rowId(id) === line?.id);
  }

  private onClick(event: MouseEvent): void {
    const row = this.rowOf(event);
    const { model } = this;
    if (row === undefined || model === undefined) return;
    const part = partOf(event.target);
    model.focus(row.id);
    if (part === "twisty") model.setOpen(row, !row.isOpen);
    if (part === "box") model.toggle(row);
    if (part === "copy") this.copy(row);
  }

  private onDoubleClick(event: MouseEvent): void {
    const row = this.rowOf(event);
    if (row !== undefined && partOf(event.target) === "line") this.model?.setOpen(row, !row.isOpen);
  }

  private copy(row: VisibleRow): void {
    const { model } = this;
    if (model === undefined) return;
    const targets = row.run === undefined ? [row.position] : row.targets;
    this.actions.copy(targets.map((position) => model.outline.rowAt[position] ?? 0));
  }

  private onKey(event: KeyboardEvent): void {
    const { model } = this;
    const row = model?.rows[model.focusedAt];
    if (model === undefined || row === undefined) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "c") this.copy(row);
      else if (event.key === "f") this.actions.find();
      else return;
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    if (this.move(model, event.key) || this.act(model, row, event.key)) this.typed = "";
    else if (!this.typeAhead(model, event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that only move. */
  private move(model: ModulesModel, key: string): boolean {
    const target = this.lines.after(key, model.focusedAt);
    if (target === undefined) return false;
    this.focusAt(model, target);
    return true;
  }

  /** Keys that do something with the line. */
  private act(model: ModulesModel, row: VisibleRow, key: string): boolean {
    if (key === " ") model.toggle(row);
    else if (key === "Enter") model.setOpen(row, !row.isOpen);
    else if (key === "ArrowRight") {
      if (!row.isOpen) model.setOpen(row, true);
      else if (row.canOpen) this.focusAt(model, model.focusedAt + 1);
    } else if (key === "ArrowLeft") {
      if (row.isOpen) model.setOpen(row, false);
      else this.focusAt(model, parentAt(model.rows, model.focusedAt));
    } else if (key === "*") openSiblings(model, row);
    else return false;
    return true;
  }

  private typeAhead(model: ModulesModel, { key, timeStamp }: KeyboardEvent): boolean {
    if (!/^[\w.-]$/.test(key)) return false;
    this.typed = timeStamp - this.typedAt > TYPEAHEAD_MS ? key : this.typed + key;
    this.typedAt = timeStamp;
    const { rows } = model;
    // A new word starts behind the present line, one that grows may stay on it.
    const from = model.focusedAt + (this.typed.length === 1 ? 1 : 0);
    const wanted = this.typed.toLowerCase();
    for (let step = 0; step < rows.length; step += 1) {
      const at = (from + step) % rows.length;
      if (rows[at]?.label.toLowerCase().startsWith(wanted) !== true) continue;
      this.focusAt(model, at);
      break;
    }
    return true;
  }

  private focusAt(model: ModulesModel, at: number): void {
    const row = model.rows[at];
    if (row === undefined) return;
    this.lines.reveal(at);
    model.focus(row.id);
  }
}

function parentAt(rows: readonly VisibleRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let above = at - 1; above >= 0; above -= 1) if ((rows[above]?.level ?? 1) < level) return above;
  return at;
}

function openSiblings(model: ModulesModel, row: VisibleRow): void {
  const at = model.focusedAt;
  const { rows } = model;
  const siblings: VisibleRow[] = [];
  for (const step of [-1, 1]) {
    for (let next = step < 0 ? at : at + 1; next >= 0 && next < rows.length; next += step) {
      const other = rows[next];
      if (other === undefined || other.level < row.level) break;
      if (other.level === row.level) siblings.push(other);
    }
  }
  for (const sibling of siblings) model.setOpen(sibling, true);
}
