import type { LayerRun, ModuleOutline } from "./moduleOutline.js";

/** What a selection does with one module. */
export const ModuleMark = {
  /** Not selected. */
  none: 0,
  /** Its tensor is copied to the host and freed on the device. */
  moves: 1,
  /** Selected, but it runs with the last index: its tensor stays on the device. */
  stays: 2,
  /** Selected, but no tensor of it is taken. */
  nothing: 3,
  /** Selected; what it does is not known here. */
  unknown: 4,
} as const;
export type ModuleMarkValue = (typeof ModuleMark)[keyof typeof ModuleMark];

const kinds = 5;

/** How many modules of a stretch have each mark. */
export interface MarkCounts {
  readonly selected: number;
  readonly moves: number;
  readonly stays: number;
  readonly nothing: number;
  readonly unknown: number;
}

/** Marks by position, with counts over whole subtrees in constant time. */
export class ModuleMarks {
  readonly #marks: Uint8Array;
  /** Per mark, how many positions before each one have it. */
  readonly #before: readonly Int32Array[];

  /** `marked` holds pairs of row and mark; rows that do not exist are left out. */
  constructor(
    private readonly outline: ModuleOutline,
    marked: Iterable<readonly [row: number, mark: ModuleMarkValue]>,
  ) {
    this.#marks = new Uint8Array(outline.size);
    for (const [row, mark] of marked) {
      const position = outline.positionOf[row];
      if (position !== undefined) this.#marks[position] = mark;
    }
    this.#before = Array.from({ length: kinds }, (_, mark) => runningCount(this.#marks, mark));
  }

  at(position: number): ModuleMarkValue {
    return (this.#marks[position] ?? ModuleMark.none) as ModuleMarkValue;
  }

  /** All modules. */
  get total(): MarkCounts {
    return this.#count(0, this.outline.size);
  }

  /** Everything below a module, without itself. */
  below(position: number): MarkCounts {
    return this.#count(position + 1, this.outline.endAt(position));
  }

  /** The members of a run, without what is below them. */
  ofMembers(run: LayerRun): MarkCounts {
    const counts = [0, 0, 0, 0, 0];
    for (const member of this.outline.membersOf(run)) {
      const mark = this.at(member);
      counts[mark] = (counts[mark] ?? 0) + 1;
    }
    return countsOf((mark) => counts[mark] ?? 0);
  }

  /** Everything below the members of a run, without themselves. */
  insideMembers(run: LayerRun): MarkCounts {
    const all = this.#count(run.first, this.outline.endAt(run.last));
    const own = this.ofMembers(run);
    return {
      selected: all.selected - own.selected,
      moves: all.moves - own.moves,
      stays: all.stays - own.stays,
      nothing: all.nothing - own.nothing,
      unknown: all.unknown - own.unknown,
    };
  }

  #count(from: number, to: number): MarkCounts {
    return countsOf((mark) => (this.#before[mark]?.[to] ?? 0) - (this.#before[mark]?.[from] ?? 0));
  }
}

function countsOf(count: (mark: ModuleMarkValue) => number): MarkCounts {
  const [moves, stays, nothing, unknown] = [
    count(ModuleMark.moves),
    count(ModuleMark.stays),
    count(ModuleMark.nothing),
    count(ModuleMark.unknown),
  ];
  return { selected: moves + stays + nothing + unknown, moves, stays, nothing, unknown };
}

function runningCount(marks: Uint8Array, wanted: number): Int32Array {
  const before = new Int32Array(marks.length + 1);
  for (let at = 0; at < marks.length; at += 1) before[at + 1] = (before[at] ?? 0) + (marks[at] === wanted ? 1 : 0);
  return before;
}

/** `35 move, 1 stays`; empty where nothing is selected. */
export function countsText(counts: MarkCounts): string {
  const parts = [
    counts.moves === 0 ? "" : counts.moves === 1 ? "1 moves" : `${counts.moves} move`,
    counts.stays === 0 ? "" : counts.stays === 1 ? "1 stays" : `${counts.stays} stay`,
    counts.nothing === 0 ? "" : `${counts.nothing} without effect`,
    counts.unknown === 0 ? "" : `${counts.unknown} unknown`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
