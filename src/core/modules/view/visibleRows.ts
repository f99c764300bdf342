import type { LayerRun, ModuleOutline } from "./moduleOutline.js";

/**
 * One line of the list. `id` is stable while the model is: the position of a module, or `-1 - first` for a run, so that the set
 * of open lines can be kept.
 */
export interface VisibleRow {
  readonly id: number;
  /** The module, or the first member of the run. */
  readonly position: number;
  /** A container that this line stands for, alone or together with the run of all its children; else -1. */
  readonly container: number;
  readonly run: LayerRun | undefined;
  /** The modules that the tick box of this line stands for, as far as the filter lets them through. */
  readonly targets: readonly number[];
  readonly level: number;
  readonly label: string;
  readonly type: string | undefined;
  readonly canOpen: boolean;
  readonly isOpen: boolean;
  readonly setSize: number;
  readonly placeInSet: number;
}

/** Which lines are open, and what the filter lets through. */
export interface RowOptions {
  readonly isContainer: (position: number) => boolean;
  readonly open: ReadonlySet<number>;
  readonly filter?: ModuleFilter;
}

/** Positions that a filter text finds, counted so that a subtree is asked about in constant time. */
export interface ModuleFilter {
  readonly matches: Uint8Array;
  /** Matches before each position. */
  readonly before: Int32Array;
  readonly total: number;
}

/** Every word of the text has to occur in the module's name or class; letter case does not count. */
export function filterModules(outline: ModuleOutline, text: string): ModuleFilter | undefined {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  const matches = new Uint8Array(outline.size);
  const before = new Int32Array(outline.size + 1);
  for (let position = 0; position < outline.size; position += 1) {
    const haystack = `${outline.nameAt(position)} ${outline.typeAt(position) ?? ""}`.toLowerCase();
    const found = words.every((word) => haystack.includes(word)) ? 1 : 0;
    matches[position] = found;
    before[position + 1] = (before[position] ?? 0) + found;
  }
  return { matches, before, total: before[outline.size] ?? 0 };
}

/** Lines that are open at first: from the model down to where the layers are. */
export function initiallyOpen(outline: ModuleOutline): Set<number> {
  const open = new Set<number>();
  const walk = (position: number): boolean => {
    const children = outline.foldedChildrenOf(position);
    let hasLayers = false;
    for (const child of children) {
      if (typeof child === "object") hasLayers ||= outline.hasChildren(child.first);
      else if (walk(child)) hasLayers = true;
    }
    if (hasLayers && position >= 0 && outline.wholeRunOf(position) === undefined) open.add(position);
    return hasLayers;
  };
  walk(-1);
  if (outline.size > 0) open.add(0);
  return open;
}

/** The lines of the list from top to bottom. */
export function visibleRows(outline: ModuleOutline, options: RowOptions): VisibleRow[] {
  const rows: VisibleRow[] = [];
  new RowWalk(outline, options, rows).children(-1, 1);
  return rows;
}

class RowWalk {
  constructor(
    private readonly outline: ModuleOutline,
    private readonly options: RowOptions,
    private readonly rows: VisibleRow[],
  ) {}

  children(position: number, level: number): void {
    const shown = this.outline
      .foldedChildrenOf(position)
      .filter((child) =>
        typeof child === "object" ? this.#finds(child.first, this.outline.endAt(child.last)) : this.#shows(child),
      );
    for (const [at, child] of shown.entries()) {
      const place = { level, setSize: shown.length, placeInSet: at + 1 };
      if (typeof child === "object") this.#run(child, -1, place);
      else this.#module(child, place);
    }
  }

  #module(position: number, place: Place): void {
    const { outline } = this;
    const whole = outline.wholeRunOf(position);
    if (whole !== undefined) {
      this.#run(whole, position, place);
      return;
    }
    const canOpen = this.#finds(position + 1, outline.endAt(position));
    const isContainer = this.options.isContainer(position);
    const isOpen = canOpen && this.#isOpen(position, () => true);
    this.rows.push({
      ...place,
      id: position,
      position,
      container: isContainer ? position : -1,
      run: undefined,
      targets: isContainer ? outline.childrenOf(position).filter((child) => this.#shows(child)) : [position],
      label: outline.labelAt(position),
      type: outline.typeAt(position),
      canOpen,
      isOpen,
    });
    if (isOpen) this.children(position, place.level + 1);
  }

  #run(run: LayerRun, container: number, place: Place): void {
    const { outline } = this;
    const id = -1 - run.first;
    const members = outline.membersOf(run).filter((member) => this.#shows(member));
    const isOpen = this.#isOpen(id, () => members.length < run.count);
    const numbers = `${outline.labelAt(run.first)}–${outline.labelAt(run.last)}`;
    this.rows.push({
      ...place,
      id,
      position: run.first,
      container,
      run,
      targets: members,
      label: container < 0 ? numbers : `${outline.labelAt(container)} ${numbers}`,
      type: outline.typeAt(run.first),
      canOpen: true,
      isOpen,
    });
    if (!isOpen) return;
    for (const [at, member] of members.entries()) {
      this.#module(member, { level: place.level + 1, setSize: members.length, placeInSet: at + 1 });
    }
  }

  /** With a filter, lines are open by themselves where it finds something, and the user's set says which are not as they would be. */
  #isOpen(id: number, openByFilter: () => boolean): boolean {
    const toggled = this.options.open.has(id);
    return this.options.filter === undefined ? toggled : openByFilter() !== toggled;
  }

  #shows(position: number): boolean {
    return this.#finds(position, this.outline.endAt(position));
  }

  /** Something to show among the positions from `from` to before `to`. */
  #finds(from: number, to: number): boolean {
    const { filter } = this.options;
    return filter === undefined ? to > from : (filter.before[to] ?? 0) > (filter.before[from] ?? 0);
  }
}

interface Place {
  readonly level: number;
  readonly setSize: number;
  readonly placeInSet: number;
}

/** How many modules behind a line the filter finds, itself included. */
export function matchesOf(outline: ModuleOutline, filter: ModuleFilter, row: VisibleRow): number {
  const end = outline.endAt(row.run?.last ?? row.position);
  return (filter.before[end] ?? 0) - (filter.before[row.position] ?? 0);
}
