import type { ModuleTree } from "../tree.js";
import { compilePattern } from "./glob.js";
import { groupMark } from "./groupPattern.js";
import { type IndexNode, indexOf, type ModuleIndex } from "./moduleIndex.js";
import { literalSegment, segmentPatterns } from "./segmentPattern.js";
import { selectModules } from "./select.js";

/**
 * A short pattern list that selects exactly these modules in this order: neighbours are joined into `{*}`, `*`, `?`, sets and ranges
 * where one pattern can tell them from all others. Names that the tree does not list are left out, repeated ones count once. The
 * result is checked against `selectModules`; where joining would select anything else, the names themselves are returned. Empty
 * for no names: an empty list in the configuration means the automatic mode, so the caller must not write it.
 */
export function patternsFor(tree: ModuleTree, names: readonly string[]): string[] {
  const index = indexOf(tree);
  const wanted = [...new Set(names)].filter((name) => index.find(name) !== undefined);
  const joined = joinedPatterns(index, wanted);
  if (selectsExactly(tree, joined, wanted)) return joined;
  return wanted.map(literalPattern);
}

function selectsExactly(tree: ModuleTree, patterns: readonly string[], wanted: readonly string[]): boolean {
  if (patterns.length === 0) return wanted.length === 0;
  const { selected } = selectModules(tree, patterns);
  return selected.length === wanted.length && selected.every((entry, at) => entry.name === wanted[at]);
}

function literalPattern(name: string): string {
  return name.split(".").map(literalSegment).join(".");
}

/** Takes from the front the longest run that one pattern selects, until nothing is left. */
function joinedPatterns(index: ModuleIndex, wanted: readonly string[]): string[] {
  const patterns: string[] = [];
  const segments = wanted.map((name) => name.split("."));
  const places = new Map(wanted.map((name, at) => [name, at]));
  const budget = { names: farBudget, tries: mostTries, steps: mostSteps };
  for (let at = 0; at < wanted.length; ) {
    const run = longestRun(index, { wanted, segments, places, budget, from: at });
    patterns.push(run.pattern);
    at = run.end;
  }
  return patterns;
}

interface Picking {
  readonly wanted: readonly string[];
  /** The names in `wanted`, split on dots. */
  readonly segments: readonly (readonly string[])[];
  /** Positions in `wanted`; what stands before `from` is selected already. */
  readonly places: ReadonlyMap<string, number>;
  /**
   * How many names may still be looked at in runs that end far away, how many runs may be tried at all, and how many names may be
   * passed in the search for ends.
   */
  readonly budget: { names: number; tries: number; steps: number };
  readonly from: number;
}

interface Run {
  readonly end: number;
  readonly pattern: string;
}

function longestRun(index: ModuleIndex, picking: Picking): Run {
  for (const end of picking.budget.tries > 0 ? possibleEnds(index, picking) : []) {
    const length = end - picking.from;
    if (length > nearby) {
      if (picking.budget.names < length) continue;
      picking.budget.names -= length;
    }
    if (picking.budget.tries <= 0) break;
    picking.budget.tries -= 1;
    const pattern = runPattern(index, picking, end);
    if (pattern !== undefined) return { end, pattern };
  }
  return { end: picking.from + 1, pattern: literalPattern(picking.wanted[picking.from] ?? "") };
}

/** How many neighbours are tried one by one; beyond, only ends at which a prefix or a ten of layers ends. */
const nearby = 40;
const maxEnds = 400;
/** Keeps the time for a hostile or huge choice below a second. */
const farBudget = 1_000_000;
/** A choice of some hundred modules needs less; of a wilder one the rest is written name by name. */
const mostTries = 300_000;
const mostSteps = 3_000_000;

/** Where a run from here may end, the farthest first. All its names have as many segments as the first. */
function possibleEnds(index: ModuleIndex, picking: Picking): readonly number[] {
  const { segments, from, budget } = picking;
  const first = segments[from] ?? [];
  const ends: number[] = [];
  const limit = from + longestProduct(index, picking);
  const last = Math.min(segments.length, limit, from + Math.max(nearby, budget.steps));
  let end = from + 1;
  for (; end < last && segments[end]?.length === first.length; end += 1) {
    const isNear = end - from <= nearby;
    if (isNear || breaksHere(segments[end - 1] ?? [], segments[end] ?? [])) ends.push(end);
  }
  if (end > from + 1) ends.push(end);
  budget.steps -= end - from;
  const farthest = [...new Set(ends)].filter((at) => at > from + 1).reverse();
  return farthest.length <= maxEnds ? farthest : [...farthest.slice(0, maxEnds - nearby), ...farthest.slice(-nearby)];
}

/** Between two names: a word before the last segment changes, or a number goes on to the next ten. */
function breaksHere(before: readonly string[], after: readonly string[]): boolean {
  const at = before.findIndex((segment, place) => segment !== after[place]);
  const number = after[at] ?? "";
  return !/^\d+$/.test(number) || !/^\d+$/.test(before[at] ?? "") || number.endsWith("0");
}

/** A pattern whose new matches are exactly the names of the run, in order. */
function runPattern(index: ModuleIndex, picking: Picking, end: number): string | undefined {
  const { wanted, segments, places, from } = picking;
  const group = groupOf(index, picking, end);
  if (group !== undefined) return group;
  if (!isProduct(index, picking, end, end - from)) return undefined;
  const run = segments.slice(from, end);
  const pattern = productPattern(index, run);
  if (pattern === undefined) return undefined;
  let at = from;
  for (const row of index.match(compilePattern(pattern))) {
    const name = index.tree.modules[row]?.name ?? "";
    if ((places.get(name) ?? from) < from) continue;
    if (at >= end || name !== wanted[at]) return undefined;
    at += 1;
  }
  return at === end ? pattern : undefined;
}

/** `prefix.{*}`, if the run is all children of a list, none of which is selected already. */
function groupOf(index: ModuleIndex, { wanted, from }: Picking, end: number): string | undefined {
  const first = wanted[from] ?? "";
  const prefix = first.slice(0, Math.max(0, first.lastIndexOf(".")));
  const { tree } = index;
  if (prefix === "" || !tree.containers.has(prefix) || tree.containerLengths?.has(prefix) === true) return undefined;
  const children = index.childrenOf(prefix);
  if (children.length !== end - from || children.length < 2) return undefined;
  const isAll = children.every(({ name }, at) => name === `${prefix}.${at}` && name === wanted[from + at]);
  return isAll && !/[{}]/.test(prefix) ? `${prefix}.${groupMark}` : undefined;
}

/**
 * How many names from here on one pattern can select at most, because a longer run would take in a module that is not wanted at all;
 * infinite where that is further away than is worth a look.
 */
function longestProduct(index: ModuleIndex, picking: Picking): number {
  let fits = 1;
  let fails = 2;
  while (fails <= farthestProduct && isProduct(index, picking, Number.POSITIVE_INFINITY, fails)) {
    fits = fails;
    fails *= 2;
  }
  if (fails > farthestProduct) return Number.POSITIVE_INFINITY;
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (isProduct(index, picking, Number.POSITIVE_INFINITY, middle)) fits = middle;
    else fails = middle;
  }
  return fits;
}

const farthestProduct = 128;

/**
 * Whether every module whose segments all occur in the first `part` names, each at its place, is wanted before `end`: one pattern can
 * select no less than these.
 */
function isProduct(index: ModuleIndex, { segments, places, from }: Picking, end: number, part: number): boolean {
  const depth = segments[from]?.length ?? 0;
  let nodes: readonly IndexNode[] = [index.top];
  for (let place = 0; place < depth; place += 1) {
    const wanted = new Set<string>();
    for (let at = from; at < Math.min(from + part, segments.length); at += 1) wanted.add(segments[at]?.[place] ?? "");
    nodes = nodes.flatMap((node) => childrenNamed(node, wanted));
  }
  return nodes.every(({ row, name }) => row < 0 || (places.get(name) ?? Number.POSITIVE_INFINITY) < end);
}

/** One glob per place, told apart from what else exists below the places before it. */
function productPattern(index: ModuleIndex, run: readonly (readonly string[])[]): string | undefined {
  const places = run[0]?.length ?? 0;
  const globs: string[] = [];
  let nodes: readonly IndexNode[] = [index.top];
  for (let place = 0; place < places; place += 1) {
    const wanted = new Set<string>();
    for (const segments of run) wanted.add(segments[place] ?? "");
    const glob = globFor(wanted, nodes);
    if (glob === undefined) return undefined;
    globs.push(glob);
    nodes = nodes.flatMap((node) => childrenNamed(node, wanted));
  }
  return globs.join(".");
}

/** A glob that matches, of the children of these nodes, those with a wanted segment and no others. */
function globFor(wanted: ReadonlySet<string>, nodes: readonly IndexNode[]): string | undefined {
  const [only] = wanted;
  if (wanted.size === 1 && only !== undefined) return literalSegment(only);
  const others = new Set<string>();
  for (const { children } of nodes)
    for (const segment of children.keys()) if (!wanted.has(segment)) others.add(segment);
  const [glob] = segmentPatterns(wanted, [...others]);
  return glob;
}

function childrenNamed(node: IndexNode, wanted: ReadonlySet<string>): readonly IndexNode[] {
  const found: IndexNode[] = [];
  for (const segment of wanted) {
    const child = node.children.get(segment);
    if (child !== undefined) found.push(child);
  }
  return found;
}
