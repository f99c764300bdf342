import { type ConfigNode, entryOf, isDeferred, type MappingNode, nodeAt, scalarOf, textOf } from "./configNode.js";
import { followReference } from "./interpolation.js";

/** The boolean of a key, references inside the file followed; `undefined` when absent or known at run time only. */
export function booleanIn(
  root: ConfigNode | undefined,
  mapping: MappingNode | undefined,
  key: string,
): boolean | undefined {
  const value = scalarOf(followReference(root, entryOf(mapping, key)?.value));
  return value?.type === "bool" ? value.value : undefined;
}

/** The whole number of a key, references followed. */
export function integerIn(
  root: ConfigNode | undefined,
  mapping: MappingNode | undefined,
  key: string,
): number | undefined {
  const value = scalarOf(followReference(root, entryOf(mapping, key)?.value));
  return value?.type === "int" && Number.isSafeInteger(value.value) ? value.value : undefined;
}

/** The text of a key, references followed; texts that only the run knows have none. */
export function textIn(
  root: ConfigNode | undefined,
  mapping: MappingNode | undefined,
  key: string,
): string | undefined {
  const node = followReference(root, entryOf(mapping, key)?.value);
  return isDeferred(node) ? undefined : textOf(node);
}

/** Ranks of one node and of the whole job, as `trainer` gives them; members are absent when the file does not say. */
export function ranksOf(root: ConfigNode | undefined): { readonly perNode?: number; readonly world?: number } {
  const trainer = nodeAt(root, ["trainer"]);
  if (trainer?.kind !== "mapping") return {};
  const perNode = positive(integerIn(root, trainer, "n_gpus_per_node"));
  const nodes = positive(integerIn(root, trainer, "nnodes"));
  if (perNode === undefined) return {};
  return nodes === undefined ? { perNode } : { perNode, world: perNode * nodes };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
