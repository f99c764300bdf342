import { type NameShape, type TensorNames, textsBetween } from "./tensorNames.js";

/** Module paths that own tensors, as a trie. `experts.0.up_proj` is a node even where no tensor sits on `experts` itself. */
export interface TensorNode {
  readonly children: ReadonlyMap<string, TensorNode>;
}

interface GrowingNode {
  children: Map<string, GrowingNode>;
}

/** Most nodes are leaves: they share this map, which stays empty. */
const noChildren: Map<string, GrowingNode> = new Map();

/** The trie of the modules that own the given tensors: everything before the last dot of a tensor's name. */
export function tensorTrie(tensorNames: Iterable<string>): TensorNode {
  const root: GrowingNode = { children: new Map() };
  for (const name of tensorNames) addText(root, name);
  return root;
}

/**
 * As `tensorTrie`, for those names that are `loaded`, renamed. `rename` must treat names that differ in their numbers alike: it is
 * asked once a shape, with large numbers in the places of the real ones.
 */
export function renamedTrie(
  names: TensorNames,
  loaded: (name: number) => boolean,
  rename: (name: string) => string,
): TensorNode {
  const root: GrowingNode = { children: new Map() };
  const targets = new Map<number, Target>();
  for (let name = 0; name < names.size; name += 1) {
    if (!loaded(name)) continue;
    const shape = names.shapeOf(name);
    let target = targets.get(shape);
    if (target === undefined) {
      target = targetOf(names.shapes[shape] ?? "", rename);
      targets.set(shape, target);
    }
    addName(root, names, name, target);
  }
  return root;
}

/** Where the tensors of one shape go: the segments of the module's name, and where the last one went. */
interface Target {
  /** A text, or which number of the tensor's name stands here. */
  readonly segments: readonly (string | number)[];
  readonly nodes: (GrowingNode | undefined)[];
  readonly numbers: number[];
}

/** Larger than any number in a name of a shape; stands for the first one. */
const sentinel = 1_900_000_000;
const sentinelPattern = /^19\d{8}$/;

function targetOf(shape: NameShape, rename: (name: string) => string): Target {
  const texts = textsBetween(shape);
  const marked = texts.reduce((text, next, at) => `${text}${sentinel + at - 1}${next}`);
  const segments = rename(marked)
    .split(".")
    .slice(0, -1)
    .map((segment) => {
      const number = sentinelPattern.test(segment) ? Number(segment) - sentinel : texts.length;
      return number < texts.length - 1 ? number : segment;
    });
  return { segments, nodes: segments.map(() => undefined), numbers: segments.map(() => -1) };
}

/** Neighbours in a checkpoint mostly share the beginning of their names: only from the first other number on is looked up. */
function addName(root: GrowingNode, names: TensorNames, name: number, { segments, nodes, numbers }: Target): void {
  let node = root;
  let isSame = true;
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? "";
    const number = typeof segment === "number" ? names.numberOf(name, segment) : -1;
    const last = nodes[at];
    if (isSame && last !== undefined && numbers[at] === number) {
      node = last;
      continue;
    }
    isSame = false;
    node = childOf(node, typeof segment === "number" ? String(number) : segment);
    nodes[at] = node;
    numbers[at] = number;
  }
}

function addText(root: GrowingNode, name: string): void {
  let node = root;
  let start = 0;
  for (let end = name.indexOf("."); end >= 0; end = name.indexOf(".", start)) {
    node = childOf(node, name.slice(start, end));
    start = end + 1;
  }
}

function childOf(node: GrowingNode, segment: string): GrowingNode {
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  if (node.children === noChildren) node.children = new Map();
  const child: GrowingNode = { children: noChildren };
  node.children.set(segment, child);
  return child;
}
