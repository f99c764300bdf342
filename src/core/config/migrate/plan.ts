import { asMapping, type ConfigNode, type MappingNode } from "../document/configNode.js";
import { refusesUnknownKeys } from "../veomni/layout.js";
import { type Destination, destinationOf, type Reading, type Route } from "./destination.js";
import { type EntryNode, entriesOf, type TreeItem } from "./entryTree.js";
import { unfoldFlow } from "./flowEntries.js";
import type { HomelessKey } from "./migration.js";

/** An entry that leaves its place. */
export interface Move {
  readonly node: EntryNode;
  /** The block that it leaves. */
  readonly siblings: TreeItem[];
  readonly to: readonly string[];
}

/** A key that the target layout does not have. */
export interface Homeless {
  readonly node: EntryNode;
  readonly siblings: TreeItem[];
  /** What is lost with it: its own path, or those of its members. */
  readonly keys: readonly HomelessKey[];
}

/** A value and where it must be found in the end. */
export interface Kept {
  readonly value: ConfigNode;
  readonly to: readonly string[];
}

/** An entry that a layout knows, by the name of its row. */
export interface PlannedRow {
  readonly row: string;
  readonly node: EntryNode;
  /** Dotted path in the file. */
  readonly key: string;
}

/** What a conversion does, before anything is changed. */
export interface Plan {
  readonly moves: readonly Move[];
  readonly homeless: readonly Homeless[];
  readonly kept: readonly Kept[];
  readonly rows: readonly PlannedRow[];
  /** Keys that would have to be taken apart, and cannot: shared by an alias or a merge key, or written unusually. */
  readonly unsafe: readonly string[];
  /** Keys that stand twice in their block and do not stay as they are: only the last entry counts, and blocks would grow together. */
  readonly repeated: readonly string[];
  /** Changes to single entries before any moves: mappings in braces that have to be written as blocks, values that went. */
  readonly prepared: readonly { apply(): void }[];
}

/** Plans the conversion of a whole file. `text` is the text of the tree, `root` its parsed top level. */
export function planMigration(text: string, root: MappingNode, items: TreeItem[], route: Route): Plan {
  return new Planner(text, route).block({ items, mapping: root, reading: undefined, from: [], to: [] });
}

interface Block {
  readonly items: TreeItem[];
  readonly mapping: MappingNode;
  readonly reading: Reading | undefined;
  /** Path in the file. */
  readonly from: readonly string[];
  /** Path in the target; absent for a block that goes away. */
  readonly to: readonly string[] | undefined;
}

interface Visited {
  readonly node: EntryNode;
  readonly siblings: TreeItem[];
  readonly destination: Destination;
  readonly from: readonly string[];
  /** Where the entry gets to when nobody moves it. */
  readonly natural: readonly string[] | undefined;
}

const nothing: Plan = { moves: [], homeless: [], kept: [], rows: [], unsafe: [], repeated: [], prepared: [] };

const unknownWhy = "Unknown to every layout; VeOmni stops at unknown keys since #1090.";

class Planner {
  constructor(
    private readonly text: string,
    private readonly route: Route,
  ) {}

  block(block: Block): Plan {
    const entries = entriesOf(block.items);
    const byKey = new Map<string, EntryNode[]>();
    for (const node of entries) byKey.set(node.key, [...(byKey.get(node.key) ?? []), node]);
    const plans = [...byKey].map(([key, nodes]) => this.#sameKey(block, key, nodes));
    return joined([...plans, this.#inherited(block)]);
  }

  /** Entries of one key. Of several only the last counts, so the others say nothing that has to be kept. */
  #sameKey(block: Block, key: string, nodes: readonly EntryNode[]): Plan {
    const plans = nodes.map((node) => this.#entry(block, node));
    const [only = nothing] = plans.slice(-1);
    if (plans.length < 2) return only;
    return plans.every(staysAsWritten) ? only : { ...nothing, repeated: [[...block.from, key].join(".")] };
  }

  #entry(block: Block, node: EntryNode): Plan {
    const value = node.source?.entry.value;
    if (value === undefined) return nothing;
    const visited: Visited = {
      node,
      siblings: block.items,
      destination: destinationOf(this.route, block.reading, node.key, value),
      from: [...block.from, node.key],
      natural: block.to === undefined ? undefined : [...block.to, node.key],
    };
    const { destination } = visited;
    if (destination.kind === "at") return this.#placed(visited, value, destination);
    if (destination.kind === "homeless") return this.#homeless(visited, value, destination);
    if (destination.isUnknown && this.#isRefusedFromNowOn(node)) return lost(visited, unknownWhy);
    if (visited.natural !== undefined) return { ...nothing, kept: [{ value, to: visited.natural }] };
    return lost(visited, `The layout ${this.route.to} has no block for it.`);
  }

  /** What anchors and aliases share with other places stays. */
  #isRefusedFromNowOn({ source }: EntryNode): boolean {
    if (refusesUnknownKeys(this.route.from) || !refusesUnknownKeys(this.route.to)) return false;
    const { start, end } = source?.entry.span ?? { start: 0, end: 0 };
    return !/[\s,[{:][&*]\S/.test(this.text.slice(start, end));
  }

  #placed(visited: Visited, value: ConfigNode, destination: Destination & { readonly kind: "at" }): Plan {
    const to = destination.path.split(".");
    const isMoved = visited.natural === undefined || !samePath(to, visited.natural);
    const moves = isMoved ? [{ node: visited.node, siblings: visited.siblings, to }] : [];
    const members = destination.holdsFields ? this.#members(visited, value, destination.reading, to) : undefined;
    if (members === undefined)
      return { ...nothing, moves, kept: [{ value, to }], rows: rowOf(visited, destination.row) };
    return joined([{ ...nothing, moves }, members]);
  }

  /** A block goes away alone when some of its members have a place; else it is lost with all of them. */
  #homeless(visited: Visited, value: ConfigNode, destination: Destination & { readonly kind: "homeless" }): Plan {
    const { reading, why } = destination;
    const members = reading === undefined ? undefined : this.#members(visited, value, reading, undefined);
    if (members === undefined) return lost(visited, why);
    if (isNothing(members)) return lost(visited, why);
    if (members.moves.length + members.unsafe.length + members.repeated.length > 0) return members;
    const { node, siblings } = visited;
    const keys = members.homeless.flatMap((each) => each.keys);
    return { ...nothing, homeless: [{ node, siblings, keys }] };
  }

  /** The plan for the members of a block; `undefined` when the value is none, or can stay as it is written. */
  #members(visited: Visited, value: ConfigNode, reading: Reading, to: readonly string[] | undefined): Plan | undefined {
    const { node, from } = visited;
    const mapping = asMapping(value);
    if (mapping === undefined) return undefined;
    if (node.items !== undefined) return this.block({ items: node.items, mapping, reading, from, to });
    const unfolded = value.kind === "alias" ? undefined : unfoldFlow(this.text, node);
    if (unfolded === undefined) {
      return this.#changesIn(mapping, reading, to) ? { ...nothing, unsafe: [from.join(".")] } : undefined;
    }
    const { items, head, above } = unfolded;
    const plan = this.block({ items, mapping, reading, from, to });
    if (staysAsWritten(plan)) return undefined;
    const apply = () => Object.assign(node, { items, head, above, below: [] });
    return { ...plan, prepared: [...plan.prepared, { apply }] };
  }

  /** Members that a merge key brings in cannot be moved one by one. */
  #inherited({ mapping, items, reading, from, to }: Block): Plan {
    const own = new Set(entriesOf(items).map((node) => node.source?.entry));
    const inherited = mapping.entries.filter((entry) => !own.has(entry));
    if (inherited.length === 0) return nothing;
    const merged: MappingNode = { ...mapping, entries: inherited };
    if (to === undefined || this.#changesIn(merged, reading, to))
      return { ...nothing, unsafe: [[...from, "<<"].join(".")] };
    return { ...nothing, kept: inherited.map(({ key, value }) => ({ value, to: [...to, key] })) };
  }

  #changesIn(mapping: MappingNode, reading: Reading | undefined, to: readonly string[] | undefined): boolean {
    return mapping.entries.some(({ key, value }) => {
      const found = destinationOf(this.route, reading, key, value);
      if (found.kind === "stays") return to === undefined;
      if (found.kind === "homeless" || to === undefined) return true;
      const path = found.path.split(".");
      if (!samePath(path, [...to, key])) return true;
      const nested = found.holdsFields ? asMapping(value) : undefined;
      return nested !== undefined && this.#changesIn(nested, found.reading, path);
    });
  }
}

function lost({ node, siblings, from }: Visited, why: string): Plan {
  return { ...nothing, homeless: [{ node, siblings, keys: [{ key: from.join("."), why }] }] };
}

function rowOf({ node, from }: Visited, row: string | undefined): readonly PlannedRow[] {
  return row === undefined ? [] : [{ row, node, key: from.join(".") }];
}

function isNothing(plan: Plan): boolean {
  return plan.kept.length === 0 && staysAsWritten(plan);
}

function staysAsWritten({ moves, homeless, unsafe, repeated, prepared }: Plan): boolean {
  return moves.length + homeless.length + unsafe.length + repeated.length + prepared.length === 0;
}

function joined(plans: readonly Plan[]): Plan {
  return {
    moves: plans.flatMap((plan) => plan.moves),
    homeless: plans.flatMap((plan) => plan.homeless),
    kept: plans.flatMap((plan) => plan.kept),
    rows: plans.flatMap((plan) => plan.rows),
    unsafe: plans.flatMap((plan) => plan.unsafe),
    repeated: plans.flatMap((plan) => plan.repeated),
    prepared: plans.flatMap((plan) => plan.prepared),
  };
}

function samePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, depth) => key === right[depth]);
}
