import { asMapping, type ConfigNode, followAlias, type MappingEntry, type MappingNode } from "./configNode.js";
import type { TextSpan } from "./diagnostic.js";

/** A key that stands twice in one mapping. */
export interface DuplicateKey {
  readonly first: MappingEntry;
  readonly again: MappingEntry;
  readonly mapping: MappingNode;
}

/**
 * An entry as it is written. `merges`: its key is `<<`, so that its value brings in entries from elsewhere. `mayRepeat`: nobody
 * minds that its key stands twice.
 */
export interface WrittenEntry {
  readonly entry: MappingEntry;
  readonly merges: boolean;
  readonly mayRepeat?: boolean;
}

const maxMergedEntries = 10_000;

/** Makes mappings of what is written: merge keys resolved, keys that stand twice noted. One for each document. */
export class MappingBuilder {
  readonly duplicateKeys: DuplicateKey[] = [];
  #mergedEntriesLeft = maxMergedEntries;

  build(written: readonly WrittenEntry[], place: { readonly span: TextSpan; readonly flow: boolean }): MappingNode {
    const own: MappingEntry[] = [];
    const merged: (readonly MappingEntry[])[] = [];
    const seen = new Map<string, MappingEntry>();
    const repeated: Omit<DuplicateKey, "mapping">[] = [];
    for (const { entry, merges, mayRepeat } of written) {
      if (merges) {
        merged.unshift(mergedEntries(entry.value));
        continue;
      }
      const first = seen.get(entry.key);
      if (first === undefined) seen.set(entry.key, entry);
      else if (mayRepeat !== true) repeated.push({ first, again: entry });
      own.push(entry);
    }
    const mapping: MappingNode = {
      kind: "mapping",
      ...place,
      entries: [...this.#inherit(merged.flat(), seen), ...own],
    };
    for (const pair of repeated) this.duplicateKeys.push({ ...pair, mapping });
    return mapping;
  }

  /**
   * Merged entries under keys that the mapping does not hold itself; of several the first, in the last of several merge keys.
   * Bounded, as merges can multiply.
   */
  #inherit(merged: readonly MappingEntry[], own: ReadonlyMap<string, MappingEntry>): MappingEntry[] {
    const inherited = new Map<string, MappingEntry>();
    for (const entry of merged) {
      if (own.has(entry.key) || inherited.has(entry.key)) continue;
      if (this.#mergedEntriesLeft-- <= 0) break;
      inherited.set(entry.key, entry);
    }
    return [...inherited.values()];
  }
}

function mergedEntries(value: ConfigNode): readonly MappingEntry[] {
  const target = followAlias(value);
  if (target.kind === "sequence") return target.items.flatMap((item) => lastEntries(asMapping(item)));
  return lastEntries(asMapping(target));
}

/** Of a key written twice the last entry counts. */
function lastEntries(mapping: MappingNode | undefined): readonly MappingEntry[] {
  return mapping === undefined ? [] : [...new Map(mapping.entries.map((entry) => [entry.key, entry])).values()];
}

/** An entry of a key and its value; an absent value is null, behind the key. */
export function entryOfPair(key: string, keySpan: TextSpan, value: ConfigNode | undefined): MappingEntry {
  const present = value ?? nullAt(keySpan.end);
  const span = { start: keySpan.start, end: Math.max(keySpan.end, present.span.end) };
  return { key, keySpan, value: present, span };
}

/** A value that nobody wrote. */
export function nullAt(offset: number): ConfigNode {
  return { kind: "scalar", span: { start: offset, end: offset }, style: "plain", value: { type: "null" } };
}
