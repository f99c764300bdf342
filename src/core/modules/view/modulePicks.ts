import type { ModuleOutline } from "./moduleOutline.js";
import type { VisibleRow } from "./visibleRows.js";

/** State of a tick box. */
export type TickState = "all" | "some" | "none";

/**
 * The modules that are ticked, by position. A box of a run, or of a container, stands for its children: a container itself is
 * never called, so choosing it would do nothing. The model itself cannot be ticked, only unticked.
 */
export class ModulePicks {
  readonly #ticked: Set<number>;

  constructor(
    private readonly outline: ModuleOutline,
    ticked: Iterable<number> = [],
  ) {
    this.#ticked = new Set(ticked);
  }

  get count(): number {
    return this.#ticked.size;
  }

  has(position: number): boolean {
    return this.#ticked.has(position);
  }

  /** Rows of the module list, in `named_modules()` order. */
  rows(): number[] {
    return [...this.#ticked].map((position) => this.outline.rowAt[position] ?? 0).sort((left, right) => left - right);
  }

  equals(other: ModulePicks): boolean {
    return this.count === other.count && [...this.#ticked].every((position) => other.has(position));
  }

  copy(): ModulePicks {
    return new ModulePicks(this.outline, this.#ticked);
  }

  /** `undefined`: the row has no box. */
  stateOf(row: VisibleRow): TickState | undefined {
    const targets = this.#targetsOf(row);
    const itself = row.container >= 0 && this.has(row.container);
    if (targets.length === 0) return itself ? "all" : undefined;
    const ticked = targets.reduce((sum, position) => sum + (this.has(position) ? 1 : 0), 0);
    if (ticked === targets.length && !itself) return "all";
    return ticked > 0 || itself ? "some" : "none";
  }

  /** Ticks what the row stands for, or unticks it when all of it is ticked. */
  toggle(row: VisibleRow): void {
    const state = this.stateOf(row);
    if (state === undefined) return;
    if (row.container >= 0) this.#ticked.delete(row.container);
    for (const position of this.#targetsOf(row)) {
      if (state === "all") this.#ticked.delete(position);
      else this.#ticked.add(position);
    }
  }

  #targetsOf(row: VisibleRow): readonly number[] {
    const isModel = this.outline.nameAt(row.position) === "" && row.run === undefined && row.container < 0;
    return isModel && !this.has(row.position) ? [] : row.targets;
  }
}
