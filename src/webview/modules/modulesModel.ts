import { ModuleMark, ModuleMarks, type ModuleMarkValue } from "../../core/modules/view/moduleMarks.js";
import { ModuleOutline } from "../../core/modules/view/moduleOutline.js";
import { ModulePicks } from "../../core/modules/view/modulePicks.js";
import type { ModelMessage, Preview, SelectionMessage } from "../../core/modules/view/protocol.js";
import {
  filterModules,
  initiallyOpen,
  type ModuleFilter,
  type VisibleRow,
  visibleRows,
} from "../../core/modules/view/visibleRows.js";

/** What the selection does with one module. */
export interface SelectedModule {
  readonly index: number;
  readonly mark: ModuleMarkValue;
  readonly bytes: number | null;
  readonly reason: string;
}

/** What the page shows of one model. Every change ends in one call of the listener. */
export class ModulesModel {
  readonly outline: ModuleOutline;
  marks: ModuleMarks;
  selection: SelectionMessage | undefined;
  picks: ModulePicks;
  preview: Preview | undefined;
  filter: ModuleFilter | undefined;
  focusedId: number;
  #base: ModulePicks;
  #selected = new Map<number, SelectedModule>();
  #open: Set<number>;
  /** With a filter: lines that the user opened or closed against it. */
  #againstFilter = new Set<number>();
  #rows: readonly VisibleRow[] | undefined;
  readonly #containers: ReadonlySet<number>;

  constructor(
    readonly model: ModelMessage,
    private readonly onChange: () => void,
  ) {
    this.outline = new ModuleOutline(model.names, (row) => model.typeNames[model.types[row] ?? -1]);
    this.#containers = new Set(model.containers.map((row) => this.outline.positionOf[row] ?? -1));
    this.#open = initiallyOpen(this.outline);
    this.marks = new ModuleMarks(this.outline, []);
    this.picks = new ModulePicks(this.outline);
    this.#base = this.picks.copy();
    this.focusedId = this.rows[0]?.id ?? 0;
  }

  get rows(): readonly VisibleRow[] {
    this.#rows ??= visibleRows(this.outline, {
      isContainer: (position) => this.#containers.has(position),
      open: this.filter === undefined ? this.#open : this.#againstFilter,
      ...(this.filter === undefined ? {} : { filter: this.filter }),
    });
    return this.#rows;
  }

  /** Ticks differ from what the configuration selects. */
  get isPicking(): boolean {
    return !this.picks.equals(this.#base);
  }

  get focusedAt(): number {
    return Math.max(
      0,
      this.rows.findIndex(({ id }) => id === this.focusedId),
    );
  }

  selectedAt(position: number): SelectedModule | undefined {
    return this.#selected.get(position);
  }

  /** How the tick of a module differs from what the configuration selects. */
  changeAt(position: number): "added" | "dropped" | undefined {
    const isTicked = this.picks.has(position);
    if (isTicked === this.#base.has(position)) return undefined;
    return isTicked ? "added" : "dropped";
  }

  /** A new state of the configuration; ticks that were not applied stay. */
  select(message: SelectionMessage): void {
    const wasPicking = this.isPicking;
    this.selection = message;
    this.#selected = new Map();
    for (const [at, row] of message.rows.entries()) {
      this.#selected.set(this.outline.positionOf[row] ?? -1, {
        index: message.indices[at] ?? 0,
        mark: message.marks[at] ?? ModuleMark.unknown,
        bytes: message.bytes[at] ?? null,
        reason: message.reasonTexts[message.reasons[at] ?? -1] ?? "",
      });
    }
    this.marks = new ModuleMarks(
      this.outline,
      message.rows.map((row, at) => [row, message.marks[at] ?? ModuleMark.unknown] as const),
    );
    this.#base = new ModulePicks(this.outline, this.#selected.keys());
    if (!wasPicking) this.picks = this.#base.copy();
    this.onChange();
  }

  setFilter(text: string): void {
    this.filter = filterModules(this.outline, text);
    this.#againstFilter = new Set();
    this.#rows = undefined;
    this.onChange();
  }

  focus(id: number): void {
    this.focusedId = id;
    this.onChange();
  }

  setOpen(row: VisibleRow, isOpen: boolean): void {
    if (!row.canOpen || row.isOpen === isOpen) return;
    const set = this.filter === undefined ? this.#open : this.#againstFilter;
    if (!set.delete(row.id)) set.add(row.id);
    this.#rows = undefined;
    this.onChange();
  }

  collapseAll(): void {
    if (this.filter === undefined) this.#open = initiallyOpen(this.outline);
    else this.#againstFilter = new Set();
    this.#rows = undefined;
    this.focusedId = this.rows[0]?.id ?? 0;
    this.onChange();
  }

  toggle(row: VisibleRow): void {
    this.picks.toggle(row);
    this.preview = undefined;
    this.onChange();
  }

  revert(): void {
    this.picks = this.#base.copy();
    this.preview = undefined;
    this.onChange();
  }

  showPreview(preview: Preview): void {
    this.preview = preview;
    this.onChange();
  }
}
