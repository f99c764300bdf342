/** Equal neighbours of one container: consecutive numbers, one class, the same modules below. Positions of first and last. */
export interface LayerRun {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Below a module: a child by its position, or a run of at least two children. */
export type OutlineChild = number | LayerRun;

/**
 * The modules of a model as a tree for a list on the screen. A *position* counts modules depth first, so that everything below
 * one module is one stretch of positions; `rowAt` leads from there to the row of `named_modules()`. Works for any list of names:
 * a module whose parent is not listed hangs below its nearest listed ancestor.
 */
export class ModuleOutline {
  readonly size: number;
  /** Row of the module list, by position. */
  readonly rowAt: Int32Array;
  /** Position by row. */
  readonly positionOf: Int32Array;
  /** Position of the parent, -1 at the top. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** First position behind everything below. */
  readonly end: Int32Array;
  readonly #labels: string[];
  /** Equal numbers: same class and the same modules below, whatever the module itself is called. */
  readonly #shape: Int32Array;
  readonly #children = new Map<number, readonly OutlineChild[]>();

  constructor(
    private readonly names: readonly string[],
    private readonly typeOf: (row: number) => string | undefined,
  ) {
    this.size = names.length;
    const { parentRow, labels } = findParents(names);
    const order = depthFirst(parentRow);
    this.rowAt = order.rowAt;
    this.end = order.end;
    this.depth = order.depth;
    this.positionOf = new Int32Array(this.size);
    for (let position = 0; position < this.size; position += 1) this.positionOf[this.rowOf(position)] = position;
    this.parent = Int32Array.from(this.rowAt, (row) => {
      const above = parentRow[row] ?? -1;
      return above < 0 ? -1 : (this.positionOf[above] ?? -1);
    });
    this.#labels = Array.from(this.rowAt, (row) => labels[row] ?? "");
    this.#shape = shapesOf(this);
  }

  /** Name of a module in `named_modules()`; the model itself has the empty one. */
  nameAt(position: number): string {
    return this.names[this.rowOf(position)] ?? "";
  }

  typeAt(position: number): string | undefined {
    return this.typeOf(this.rowOf(position));
  }

  /** The part of the name below the parent, mostly one segment. */
  labelAt(position: number): string {
    return this.#labels[position] ?? "";
  }

  endAt(position: number): number {
    return this.end[position] ?? position + 1;
  }

  hasChildren(position: number): boolean {
    return this.endAt(position) > position + 1;
  }

  shapeAt(position: number): number {
    return this.#shape[position] ?? -1;
  }

  /** Positions of the children one by one; `-1` asks for the top. */
  childrenOf(position: number): number[] {
    const children: number[] = [];
    const end = position < 0 ? this.size : this.endAt(position);
    for (let child = position + 1; child < end; child = this.endAt(child)) children.push(child);
    return children;
  }

  /** The children with runs of equal ones folded. */
  foldedChildrenOf(position: number): readonly OutlineChild[] {
    const known = this.#children.get(position);
    if (known !== undefined) return known;
    const folded = foldRuns(this, this.childrenOf(position));
    this.#children.set(position, folded);
    return folded;
  }

  /** The run that stands for a whole container: all its children are equal. */
  wholeRunOf(position: number): LayerRun | undefined {
    const [first, second] = this.foldedChildrenOf(position);
    return typeof first === "object" && second === undefined ? first : undefined;
  }

  /** Positions of the members of a run. */
  membersOf(run: LayerRun): number[] {
    const members: number[] = [];
    for (let member = run.first; member <= run.last; member = this.endAt(member)) members.push(member);
    return members;
  }

  private rowOf(position: number): number {
    return this.rowAt[position] ?? 0;
  }
}

interface Parents {
  readonly parentRow: Int32Array;
  readonly labels: readonly string[];
}

function findParents(names: readonly string[]): Parents {
  const rows = new Map(names.map((name, row) => [name, row]));
  const root = rows.get("") ?? -1;
  const parentRow = new Int32Array(names.length).fill(-1);
  const labels = names.map((name, row) => {
    if (name === "") return "";
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      const above = rows.get(name.slice(0, dot));
      if (above === undefined) continue;
      parentRow[row] = above;
      return name.slice(dot + 1);
    }
    parentRow[row] = root;
    return name;
  });
  return { parentRow, labels };
}

interface Order {
  readonly rowAt: Int32Array;
  readonly end: Int32Array;
  readonly depth: Int32Array;
}

/** Depth first with children in list order. Names get shorter towards the parent, so there are no circles. */
function depthFirst(parentRow: Int32Array): Order {
  const size = parentRow.length;
  const firstChild = new Int32Array(size + 1).fill(-1);
  const nextSibling = new Int32Array(size).fill(-1);
  // From the last to the first, so that each list of siblings ends up in list order.
  for (let row = size - 1; row >= 0; row -= 1) {
    const above = parentRow[row] ?? -1;
    const slot = above < 0 ? size : above;
    nextSibling[row] = firstChild[slot] ?? -1;
    firstChild[slot] = row;
  }
  const rowAt = new Int32Array(size);
  const end = new Int32Array(size);
  const depth = new Int32Array(size);
  const open: { row: number; position: number; depth: number }[] = [];
  let next = firstChild[size] ?? -1;
  let position = 0;
  while (next >= 0 || open.length > 0) {
    if (next < 0) {
      const done = open.pop();
      if (done === undefined) break;
      end[done.position] = position;
      next = nextSibling[done.row] ?? -1;
      continue;
    }
    rowAt[position] = next;
    depth[position] = open.length;
    open.push({ row: next, position, depth: open.length });
    next = firstChild[next] ?? -1;
    position += 1;
  }
  return { rowAt, end, depth };
}

/** Numbers equal subtrees, from the leaves up: a subtree is its class and the labels and shapes of its children. */
function shapesOf(outline: ModuleOutline): Int32Array {
  const known = new Map<string, number>();
  const shapes = new Int32Array(outline.size);
  for (let position = outline.size - 1; position >= 0; position -= 1) {
    let key = JSON.stringify(outline.typeAt(position) ?? null);
    for (let child = position + 1; child < outline.endAt(position); child = outline.endAt(child)) {
      key += `${JSON.stringify(outline.labelAt(child))}${shapes[child]}`;
    }
    const shape = known.get(key) ?? known.size;
    known.set(key, shape);
    shapes[position] = shape;
  }
  return shapes;
}

function foldRuns(outline: ModuleOutline, children: readonly number[]): readonly OutlineChild[] {
  const folded: OutlineChild[] = [];
  for (let at = 0; at < children.length; ) {
    const first = children[at] ?? 0;
    let last = at;
    while (last + 1 < children.length && continues(outline, children[last] ?? 0, children[last + 1] ?? 0)) last += 1;
    const count = last - at + 1;
    folded.push(count === 1 ? first : { first, last: children[last] ?? first, count });
    at = last + 1;
  }
  return folded;
}

function continues(outline: ModuleOutline, before: number, after: number): boolean {
  const number = outline.labelAt(before);
  if (!/^\d{1,9}$/.test(number) || outline.labelAt(after) !== String(Number(number) + 1)) return false;
  return outline.shapeAt(before) === outline.shapeAt(after);
}
