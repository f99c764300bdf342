import type { ModuleRow, ModuleTree } from "../tree.js";
import { matchesSegment, type SegmentGlob } from "./glob.js";

/** A node of the name trie. `row` is the position in `tree.modules`, -1 where no module has exactly this name. */
export interface IndexNode {
  readonly name: string;
  row: number;
  readonly children: Map<string, IndexNode>;
}

/** What may still be spent: a step is one name that is compared with one segment of a pattern. */
export interface StepBudget {
  steps: number;
}

/** Module names as a trie over dot segments. The root module has the name "" and so sits beside the top-level modules. */
export class ModuleIndex {
  readonly #rows = new Map<string, number>();
  /** Above all top-level modules; no module itself. */
  readonly top: IndexNode = { name: "", row: -1, children: new Map() };
  readonly tree: ModuleTree;

  constructor(tree: ModuleTree) {
    this.tree = tree;
    for (const [row, module] of tree.modules.entries()) {
      this.#insert(module.name, row);
      if (!this.#rows.has(module.name)) this.#rows.set(module.name, row);
    }
  }

  /** The row with exactly this name. */
  find(name: string): ModuleRow | undefined {
    return this.tree.modules[this.#rows.get(name) ?? -1];
  }

  nodeOf(name: string): IndexNode | undefined {
    let node: IndexNode | undefined = this.top;
    for (const segment of name.split(".")) node = node?.children.get(segment);
    return node;
  }

  /** Direct children of a module in `named_modules()` order; of the root: the top-level modules. */
  childrenOf(name: string): readonly IndexNode[] {
    const node = name === "" ? this.top : this.nodeOf(name);
    return [...(node?.children.values() ?? [])].filter((child) => child.row >= 0 && child.name !== "");
  }

  /** Rows whose name matches segment by segment, in `named_modules()` order. */
  match(segments: readonly SegmentGlob[], budget?: StepBudget): readonly number[] {
    const rows = this.frontier(segments, budget).map((node) => node.row);
    return rows.filter((row) => row >= 0).sort((a, b) => a - b);
  }

  /** Trie nodes that match all given segments. */
  frontier(segments: readonly SegmentGlob[], budget?: StepBudget): readonly IndexNode[] {
    let nodes: readonly IndexNode[] = [this.top];
    for (const segment of segments) {
      if (nodes.length === 0) break;
      nodes = this.below(nodes, segment, budget);
    }
    return nodes;
  }

  /** The children of these nodes that match one segment. */
  below(nodes: readonly IndexNode[], segment: SegmentGlob, budget?: StepBudget): readonly IndexNode[] {
    if (budget !== undefined) budget.steps -= stepsOf(nodes, segment);
    return nodes.flatMap((node) => matchingChildren(node, segment));
  }

  #insert(name: string, row: number): void {
    let node = this.top;
    let path = "";
    for (const segment of name.split(".")) {
      path = node === this.top ? segment : `${path}.${segment}`;
      let child = node.children.get(segment);
      if (child === undefined) {
        child = { name: path, row: -1, children: new Map() };
        node.children.set(segment, child);
      }
      node = child;
    }
    if (node.row < 0) node.row = row;
  }
}

function stepsOf(nodes: readonly IndexNode[], segment: SegmentGlob): number {
  if (segment.literal !== undefined) return nodes.length;
  return nodes.reduce((sum, node) => sum + 1 + node.children.size, 0);
}

function matchingChildren(node: IndexNode, segment: SegmentGlob): readonly IndexNode[] {
  if (segment.literal !== undefined) {
    const child = node.children.get(segment.literal);
    return child === undefined ? [] : [child];
  }
  return [...node.children].filter(([key]) => matchesSegment(segment, key)).map(([, child]) => child);
}

const indexes = new WeakMap<ModuleTree, ModuleIndex>();

/** The index of a tree, built once. */
export function indexOf(tree: ModuleTree): ModuleIndex {
  const known = indexes.get(tree);
  if (known !== undefined) return known;
  const built = new ModuleIndex(tree);
  indexes.set(tree, built);
  return built;
}
