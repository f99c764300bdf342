import { nodeAt } from "../families/recordedModel.js";
import type { TensorNode } from "./tensorTrie.js";

const bearing = new Map<number, boolean>();

/** True if a recorded module, or one below it, owns tensors in some form. */
export function bearsTensors(at: number): boolean {
  const known = bearing.get(at);
  if (known !== undefined) return known;
  const node = nodeAt(at);
  let result = false;
  if (node[0] === "L") result = bearsTensors(node[4]);
  else if (node[0] === "O") result = node[2].some(bearsTensors);
  else if (node[0] === "F")
    result = node[3] === 1 || node[4].some((child, index) => index % 2 === 1 && bearsTensors(Number(child)));
  bearing.set(at, result);
  return result;
}

/**
 * How far a recorded form is from the tensors below a name: 0 is a perfect fit; a child that is missing or surplus counts 1, what
 * differs inside a child less than that, so that a layer with half its tensors still tells its kind.
 */
export function mismatchOf(at: number, trie: TensorNode): number {
  const node = nodeAt(at);
  if (node[0] === "A") return trie.children.size;
  if (node[0] === "O") return Math.min(...node[2].map((form) => mismatchOf(form, trie)));
  if (node[0] === "L") {
    const [first] = trie.children;
    return first === undefined ? 0 : /^\d+$/.test(first[0]) ? mismatchOf(node[4], first[1]) : trie.children.size;
  }
  const children = node[4];
  const known = new Set<string>();
  let misfit = 0;
  for (let index = 0; index + 1 < children.length; index += 2) {
    const name = String(children[index]);
    const child = Number(children[index + 1]);
    known.add(name);
    const below = trie.children.get(name);
    if (below !== undefined) misfit += Math.min(0.9, mismatchOf(child, below) / 10);
    else if (bearsTensors(child)) misfit += 1;
  }
  for (const name of trie.children.keys()) if (!known.has(name)) misfit += 1;
  return misfit;
}
