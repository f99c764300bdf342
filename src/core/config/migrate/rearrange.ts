import { type EntryNode, type EntryTree, entriesOf, linesOfItem, type TreeItem } from "./entryTree.js";
import { unfoldFlow } from "./flowEntries.js";
import type { Homeless, Move, Plan } from "./plan.js";
import { isBlankLine, shiftLine } from "./textLines.js";

/** Two entries that want the same place, or an entry whose place lies below a value. Dotted paths. */
export interface Conflict {
  readonly path: string;
  readonly mover: string;
}

/** Blocks that a training config is recognised by; they stay even when nothing is left in them. */
const topBlocks: ReadonlySet<string> = new Set(["model", "data", "train"]);

/**
 * Carries a plan out on its tree. Moved entries take their comments along and go behind what their new block holds; a new block
 * stands where the first entry came from, if it is added there. Homeless entries become comments, with the reason above.
 * `text` is the text that the tree was cut from. Returns the conflicts; with any, the tree is of no use.
 */
export function rearrange(tree: EntryTree, text: string, plan: Plan, target: string): readonly Conflict[] {
  const work = new Rearrangement(tree, text);
  for (const change of plan.prepared) change.apply();
  for (const homeless of plan.homeless) work.commentOut(homeless, target);
  work.run(plan.moves);
  return work.conflicts;
}

interface Hole {
  readonly move: Move;
  readonly place: TreeItem;
}

class Rearrangement {
  readonly conflicts: Conflict[] = [];
  /** The first entry that left each block: it inherits the comments of a block that goes away. */
  readonly #heirs = new Map<TreeItem[], EntryNode>();
  /** Blocks that lost an entry. */
  readonly #touched = new Set<TreeItem[]>();

  constructor(
    private readonly tree: EntryTree,
    private readonly text: string,
  ) {}

  commentOut({ node, siblings, keys }: Homeless, target: string): void {
    const pad = " ".repeat(node.indent);
    const kept = linesOfItem({ ...node, blanks: [], above: [] }, node.indent).map((line) =>
      commented(line, node.indent),
    );
    const reason = `${pad}# Not in the layout ${target}: ${keys[0]?.why ?? ""}`;
    const lines = [...node.blanks, ...node.above, reason, ...kept];
    replace(siblings, node, { kind: "lines", lines, indent: node.indent });
    this.#touched.add(siblings);
  }

  run(moves: readonly Move[]): void {
    const holes = moves.map((move) => this.#takeOut(move));
    for (const hole of holes) this.#place(hole);
    this.#prune(this.tree.items, true);
  }

  /** Everything is out before anything is put in, so that no place is taken by an entry that is about to leave. */
  #takeOut(move: Move): Hole {
    const place: TreeItem = { kind: "lines", lines: [], indent: move.node.indent };
    replace(move.siblings, move.node, place);
    this.#touched.add(move.siblings);
    if (!this.#heirs.has(move.siblings)) this.#heirs.set(move.siblings, move.node);
    return { move, place };
  }

  #place({ move, place }: Hole): void {
    const { node, siblings, to } = move;
    const key = to.at(-1) ?? "";
    const items = this.#blockFor(to.slice(0, -1), { move, place });
    if (items === undefined) {
      this.#conflict(move);
      return;
    }
    const present = find(items, key);
    if (node.key !== key) Object.assign(node, { key, keyText: key });
    if (present !== undefined) {
      remove(siblings, place);
      if (this.#isEmptied(present)) this.#dissolve(items, present, node);
      else if (!this.#merge(node, present)) this.#conflict(move);
      return;
    }
    if (items === siblings) {
      replace(siblings, place, node);
      return;
    }
    remove(siblings, place);
    items.push(node);
  }

  /** The items of the block at a path, which is added where it is missing. */
  #blockFor(path: readonly string[], { move, place }: Hole): TreeItem[] | undefined {
    let items = this.tree.items;
    let indent = this.tree.indent;
    for (const key of path) {
      const present = find(items, key);
      const block = present ?? this.#newBlock(key, indent, move.node);
      if (present === undefined) insert(items, block, items === move.siblings ? place : undefined);
      const members = this.#membersOf(block);
      if (members === undefined) return undefined;
      items = members;
      indent += block.step;
    }
    return items;
  }

  /** The blank lines above the first member go above its block. */
  #newBlock(key: string, indent: number, first: EntryNode): EntryNode {
    const { blanks } = first;
    first.blanks = [];
    const { step } = this.tree;
    return { kind: "entry", key, keyText: key, indent, blanks, above: [], head: ":", below: [], items: [], step };
  }

  #membersOf(block: EntryNode): TreeItem[] | undefined {
    if (block.items !== undefined) return block.items;
    const unfolded = unfoldFlow(this.text, block);
    if (unfolded !== undefined) {
      Object.assign(block, { ...unfolded, below: [] });
      return unfolded.items;
    }
    const value = block.source?.entry.value;
    if (value?.kind !== "scalar" || value.value.type !== "null" || value.style !== "plain") return undefined;
    const { indent, step } = block;
    const items: TreeItem[] = [{ kind: "lines", lines: block.below, indent: indent + step }];
    const head = block.head.replace(/^(\s*:)\s*(?:~|null|Null|NULL)(?=\s|$)/, "$1");
    Object.assign(block, { items, head, below: [] });
    return items;
  }

  /** Puts the members of a block into the block that stands at its place already. */
  #merge(moved: EntryNode, present: EntryNode): boolean {
    const items = this.#membersOf(present);
    const members = this.#membersOf(moved);
    if (items === undefined || members === undefined) return false;
    const entries = entriesOf(members);
    if (entries.some((entry) => find(items, entry.key) !== undefined)) return false;
    hoist(entries[0] ?? present, [...moved.above, ...headComment(moved)]);
    for (const member of members) items.push(member);
    this.#touched.delete(members);
    return true;
  }

  #conflict({ node, to }: Move): void {
    this.conflicts.push({ path: to.join("."), mover: node.key });
  }

  /**
   * Takes out blocks whose entries all left; what was written around them goes to the first that did. A block whose entries all
   * became comments stays, empty.
   */
  #prune(items: TreeItem[], isTop: boolean): void {
    for (const node of entriesOf(items)) {
      if (node.items === undefined) continue;
      this.#prune(node.items, false);
      if (!this.#isEmptied(node)) continue;
      const stays = (isTop && topBlocks.has(node.key)) || !this.#heirs.has(node.items);
      if (stays) node.head = node.head.replace(/^(\s*:(?:\s+[&!]\S+)*)/, "$1 {}");
      else this.#dissolve(items, node);
    }
  }

  #isEmptied({ items }: EntryNode): boolean {
    return items !== undefined && this.#touched.has(items) && entriesOf(items).length === 0;
  }

  /** Takes an emptied block out, or puts another entry in its place. */
  #dissolve(items: TreeItem[], block: EntryNode, successor?: EntryNode): void {
    const inside = (block.items ?? []).flatMap((item) => (item.kind === "lines" ? item.lines : []));
    const heir = this.#heirs.get(block.items ?? []) ?? successor;
    if (heir !== undefined) {
      hoist(heir, [...block.above, ...headComment(block), ...inside.filter((line) => !isBlankLine(line))]);
      if (!this.#heirs.has(items)) this.#heirs.set(items, heir);
    }
    if (successor === undefined) {
      remove(items, block);
      this.#touched.add(items);
    } else replace(items, block, successor);
  }
}

function hoist(node: EntryNode, comments: readonly string[]): void {
  const pad = " ".repeat(node.indent);
  node.above = [...comments.map((line) => pad + line.trim()), ...node.above];
}

/** The comment behind a key that is about to go. */
function headComment(node: EntryNode): readonly string[] {
  const comment = /\s(#.*)$/.exec(node.head)?.[1];
  return comment === undefined ? [] : [comment.trimEnd()];
}

function commented(line: string, indent: number): string {
  if (isBlankLine(line)) return line;
  return `${" ".repeat(indent)}# ${shiftLine(line, -indent)}`;
}

function find(items: readonly TreeItem[], key: string): EntryNode | undefined {
  return entriesOf(items).find((entry) => entry.key === key);
}

function insert(items: TreeItem[], item: TreeItem, before: TreeItem | undefined): void {
  const at = before === undefined ? -1 : items.indexOf(before);
  if (at < 0) items.push(item);
  else items.splice(at, 0, item);
}

function replace(items: TreeItem[], old: TreeItem, item: TreeItem): void {
  const at = items.indexOf(old);
  if (at >= 0) items.splice(at, 1, item);
}

function remove(items: TreeItem[], item: TreeItem): void {
  const at = items.indexOf(item);
  if (at >= 0) items.splice(at, 1);
}
