import type { ScalarValue } from "../yaml/plainScalar.js";
import type { TextSpan } from "./diagnostic.js";

/** A value of a configuration file with its place. Spans leave out comments and trailing blank space. */
export type ConfigNode = MappingNode | SequenceNode | ScalarNode | AliasNode;

export interface MappingNode {
  readonly kind: "mapping";
  readonly span: TextSpan;
  /** Written in braces on one level, not by indentation. */
  readonly flow: boolean;
  /** In text order; of a key written twice, both. Keys that are not scalars are left out. */
  readonly entries: readonly MappingEntry[];
}

export interface MappingEntry {
  readonly key: string;
  readonly keySpan: TextSpan;
  /** An absent value is a null scalar with an empty span behind the colon. */
  readonly value: ConfigNode;
  /** From the key to the end of the value. */
  readonly span: TextSpan;
}

export interface SequenceNode {
  readonly kind: "sequence";
  readonly span: TextSpan;
  readonly flow: boolean;
  readonly items: readonly ConfigNode[];
}

export interface ScalarNode {
  readonly kind: "scalar";
  readonly span: TextSpan;
  readonly style: "plain" | "quoted" | "block";
  readonly value: ScalarValue;
}

/** `*name`; `target` is absent when no such anchor stands before it. */
export interface AliasNode {
  readonly kind: "alias";
  readonly span: TextSpan;
  readonly name: string;
  readonly target?: ConfigNode;
}

/** The node behind an alias. Every alias points backwards to a finished node, so this ends. */
export function followAlias(node: ConfigNode): ConfigNode {
  let current = node;
  while (current.kind === "alias" && current.target !== undefined) current = current.target;
  return current;
}

/** The mapping that a node is or points to. */
export function asMapping(node: ConfigNode | undefined): MappingNode | undefined {
  if (node === undefined) return undefined;
  const target = followAlias(node);
  return target.kind === "mapping" ? target : undefined;
}

/** The entry of `key`. Of several the last one, as the lenient loader takes it. */
export function entryOf(mapping: MappingNode | undefined, key: string): MappingEntry | undefined {
  if (mapping === undefined) return undefined;
  if (mapping.entries.length > longMapping) return indexOf(mapping).get(key);
  for (let at = mapping.entries.length - 1; at >= 0; at--) {
    const entry = mapping.entries[at];
    if (entry?.key === key) return entry;
  }
  return undefined;
}

/** Rules ask a mapping for a hundred keys; beyond this length an index is cheaper. */
const longMapping = 12;
const indexes = new WeakMap<MappingNode, ReadonlyMap<string, MappingEntry>>();

function indexOf(mapping: MappingNode): ReadonlyMap<string, MappingEntry> {
  const known = indexes.get(mapping);
  if (known !== undefined) return known;
  const index = new Map(mapping.entries.map((entry) => [entry.key, entry]));
  indexes.set(mapping, index);
  return index;
}

/** The node at a path of keys; list positions are not followed. */
export function nodeAt(root: ConfigNode | undefined, path: readonly string[]): ConfigNode | undefined {
  let node = root;
  for (const key of path) node = entryOf(asMapping(node), key)?.value;
  return node;
}

/** The resolved scalar at a node, aliases followed. */
export function scalarOf(node: ConfigNode | undefined): ScalarValue | undefined {
  if (node === undefined) return undefined;
  const target = followAlias(node);
  return target.kind === "scalar" ? target.value : undefined;
}

/** The text of a string scalar; other scalars and collections have none. */
export function textOf(node: ConfigNode | undefined): string | undefined {
  const value = scalarOf(node);
  return value?.type === "str" ? value.value : undefined;
}

/** True for values that only exist at run time: an interpolation (`${…}`) or OmegaConf's mandatory marker (`???`). */
export function isDeferred(node: ConfigNode | undefined): boolean {
  const text = textOf(node);
  return text !== undefined && (text === "???" || text.includes("${"));
}
