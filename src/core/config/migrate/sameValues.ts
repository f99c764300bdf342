import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, type ConfigNode, followAlias, type MappingNode } from "../document/configNode.js";
import type { Kept } from "./plan.js";

const maxValues = 1_000_000;

/**
 * Compares what a converted file says with what it must say. `undefined` when it is the same: every value at its new path, and
 * nothing else; blocks without members do not count. Otherwise the first path that differs, or `""` when the values are too many
 * to compare, as aliases can multiply them.
 */
export function differingPath(kept: readonly Kept[], converted: ConfigDocument): string | undefined {
  const flattening = new Flattening();
  const expected = new Map<string, string>();
  for (const { value, to } of kept) flattening.add(expected, to, value);
  const found = new Map<string, string>();
  for (const entry of lastEntries(asMapping(converted.root))) flattening.add(found, [entry.key], entry.value);
  if (flattening.isExhausted) return "";
  for (const [path, value] of expected) if (found.get(path) !== value) return shown(path);
  for (const path of found.keys()) if (!expected.has(path)) return shown(path);
  return undefined;
}

class Flattening {
  #left = maxValues;

  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  add(values: Map<string, string>, path: readonly string[], value: ConfigNode): void {
    if (this.#left-- <= 0) return;
    const mapping = asMapping(value);
    if (mapping === undefined) {
      values.set(JSON.stringify(path), this.#render(value));
      return;
    }
    for (const entry of lastEntries(mapping)) this.add(values, [...path, entry.key], entry.value);
  }

  /** A value that is no mapping, in a form that tells types apart. */
  #render(value: ConfigNode): string {
    if (this.#left-- <= 0) return "";
    const node = followAlias(value);
    if (node.kind === "alias") return `*${node.name}`;
    if (node.kind === "sequence") return `[${node.items.map((item) => this.#render(item)).join(",")}]`;
    if (node.kind === "mapping") {
      const members = lastEntries(node).map((entry) => `${JSON.stringify(entry.key)}:${this.#render(entry.value)}`);
      return `{${members.join(",")}}`;
    }
    const scalar = node.value;
    return scalar.type === "null" ? "null" : `${scalar.type} ${JSON.stringify(String(scalar.value))}`;
  }
}

/** Of a key written twice the last entry counts. */
function lastEntries(mapping: MappingNode | undefined): MappingNode["entries"] {
  if (mapping === undefined) return [];
  return [...new Map(mapping.entries.map((entry) => [entry.key, entry])).values()];
}

function shown(path: string): string {
  return shownWord((JSON.parse(path) as readonly string[]).join("."));
}
