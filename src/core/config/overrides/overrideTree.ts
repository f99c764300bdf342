import type { ConfigDocument } from "../document/configDocument.js";
import { type ConfigNode, type MappingEntry, type MappingNode, textOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { type HydraValue, UNKNOWN_MARK } from "../hydra/value.js";
import type { Override } from "../shell/overrides.js";
import type { ScalarValue } from "../yaml/plainScalar.js";

/** The overrides of one call as the tree that they make, with places in the original text. */
export interface OverrideTree {
  readonly document: ConfigDocument;
  /** The override behind an entry of the tree. */
  readonly overrideOf: ReadonlyMap<MappingEntry, Override>;
  /** The places of a key that is no value of its own: one for each override that names it, alike in the text. */
  readonly placesOfBlock: ReadonlyMap<MappingEntry, readonly TextSpan[]>;
}

interface OpenMapping extends MappingNode {
  readonly entries: MappingEntry[];
}

const maxOverrides = 5_000;
const maxDepth = 100;
/** What only the run knows, in the words of OmegaConf. */
const deferred: ScalarValue = { type: "str", value: "???" };
/** `engine=veomni` chooses a file for the block `engine`; the key with which the block then says so itself. */
const groupOfBlock: ReadonlyMap<string, string> = new Map([
  ["engine", "strategy"],
  ["optim", "_target_"],
]);
const optimizerTarget: ScalarValue = { type: "str", value: "verl.workers.config.VeOmniOptimizerConfig" };

/**
 * Builds the tree. Deletions, groups with a package, and values that a trap or an error spoils are left to others: a spoilt
 * value counts as known at run time only. Of a key set twice both entries stand, the later one last.
 */
export function overrideTree(
  text: string,
  overrides: readonly Override[],
  nodeFor: (override: Override) => ConfigNode = nodeOf,
): OverrideTree {
  const root = mappingAt({ start: 0, end: text.length });
  const overrideOf = new Map<MappingEntry, Override>();
  const placesOfBlock = new Map<MappingEntry, TextSpan[]>();
  for (const override of overrides.slice(0, maxOverrides)) {
    const path = override.keyPath.split(".");
    if (override.operator === "delete" || override.package !== undefined || override.keyPath.includes("/")) continue;
    if (path.some((segment) => segment === "") || override.error?.code === "LIST_INDEX_IN_KEY") continue;
    const entry = insert({ text, root, placesOfBlock }, path, override, nodeFor(override));
    if (entry !== undefined) overrideOf.set(entry, override);
  }
  leaveAlternativesOpen(root, overrideOf, 0);
  return { document: { text, root, syntaxProblems: [], duplicateKeys: [] }, overrideOf, placesOfBlock };
}

/** Which branch or turn of a loop runs is not known, so no single value of several may speak to rules on several keys. */
function leaveAlternativesOpen(
  mapping: OpenMapping,
  overrideOf: ReadonlyMap<MappingEntry, Override>,
  depth: number,
): void {
  const values = new Map<string, Set<string>>();
  const last = new Map<string, MappingEntry>();
  for (const entry of mapping.entries) {
    if (entry.value.kind === "mapping" && depth < maxDepth) {
      leaveAlternativesOpen(entry.value as OpenMapping, overrideOf, depth + 1);
    }
    if (entry.value.kind !== "scalar") continue;
    const isAlternative = overrideOf.get(entry)?.alternative !== undefined;
    const before = isAlternative ? values.get(entry.key) : undefined;
    values.set(entry.key, new Set([...(before ?? []), JSON.stringify(entry.value.value)]));
    last.set(entry.key, entry);
  }
  for (const [key, entry] of last) {
    if ((values.get(key)?.size ?? 0) < 2) continue;
    mapping.entries.push({ ...entry, value: scalarAt(entry.value.span, deferred) });
  }
}

interface OpenTree {
  readonly text: string;
  readonly root: OpenMapping;
  readonly placesOfBlock: Map<MappingEntry, TextSpan[]>;
}

function insert(
  { text, root, placesOfBlock }: OpenTree,
  path: readonly string[],
  override: Override,
  value: ConfigNode,
): MappingEntry | undefined {
  let mapping = root;
  for (const [depth, segment] of path.slice(0, -1).entries()) {
    const place = segmentSpan(text, override, path, depth);
    const entry = openEntry(mapping, segment, override, place);
    if (entry.value.kind !== "mapping") return undefined;
    const places = placesOfBlock.get(entry);
    if (places === undefined) placesOfBlock.set(entry, [place]);
    else places.push(place);
    mapping = entry.value as OpenMapping;
  }
  const key = path.at(-1) ?? "";
  const keySpan = lastSegment(text, override.keySpan, key);
  const end = Math.max(override.keySpan.end, override.valueSpan.end);
  const span = { start: Math.min(override.keySpan.start, keySpan.start), end };
  if (path.length === 1 && groupOfBlock.has(key) && value.kind === "scalar") {
    return insertGroup(mapping, key, key === "optim" ? classOf(value) : value, override, span);
  }
  const entry: MappingEntry = { key, keySpan, value, span };
  mapping.entries.push(entry);
  return entry;
}

function insertGroup(
  root: OpenMapping,
  key: string,
  value: ConfigNode,
  override: Override,
  span: TextSpan,
): MappingEntry | undefined {
  const block = openEntry(root, key, override, override.keySpan).value;
  const entry: MappingEntry = { key: groupOfBlock.get(key) ?? key, keySpan: override.keySpan, value, span };
  if (block.kind === "mapping") (block as OpenMapping).entries.push(entry);
  return undefined;
}

/** The class that the file of an optimizer group names; other files than `veomni` stay by their own name. */
function classOf(value: ConfigNode): ConfigNode {
  return textOf(value) === "veomni" ? scalarAt(value.span, optimizerTarget) : value;
}

/** The entry of a key on the way: a mapping, made on first use, or the scalar that stands there. */
function openEntry(mapping: OpenMapping, key: string, override: Override, keySpan: TextSpan): MappingEntry {
  const present = mapping.entries.find((entry) => entry.key === key);
  if (present !== undefined) return present;
  const entry = { key, keySpan, value: mappingAt(override.keySpan), span: override.keySpan };
  mapping.entries.push(entry);
  return entry;
}

function mappingAt(span: TextSpan): OpenMapping {
  return { kind: "mapping", span, flow: false, entries: [] };
}

/** Where one segment of the key stands; the whole key where it does not stand as it reaches the program. */
function segmentSpan(text: string, { keySpan, keyPath }: Override, path: readonly string[], depth: number): TextSpan {
  if (text.slice(keySpan.start, keySpan.end) !== keyPath) return keySpan;
  const start = keySpan.start + path.slice(0, depth).reduce((length, segment) => length + segment.length + 1, 0);
  return { start, end: start + (path[depth]?.length ?? 0) };
}

function lastSegment(text: string, keySpan: TextSpan, key: string): TextSpan {
  const start = keySpan.end - key.length;
  return start >= keySpan.start && text.slice(start, keySpan.end) === key ? { start, end: keySpan.end } : keySpan;
}

function nodeOf(override: Override): ConfigNode {
  const isSpoilt = override.trap !== undefined || override.error !== undefined || override.value === undefined;
  return isSpoilt ? scalarAt(override.valueSpan, deferred) : toNode(override.value);
}

/** The same value as YAML would hold it. */
export function toNode(value: HydraValue): ConfigNode {
  const { span } = value;
  switch (value.kind) {
    case "null":
      return scalarAt(span, { type: "null" });
    case "bool":
      return scalarAt(span, { type: "bool", value: value.value });
    case "int":
    case "float":
      return scalarAt(span, { type: value.kind, value: value.value });
    case "string":
      return scalarAt(span, { type: "str", value: value.text });
    case "list":
      // Not flow: nothing here was read by YAML, so nothing needs its quotes.
      return { kind: "sequence", span, flow: false, items: value.items.map(toNode) };
    case "dict": {
      const entries = value.entries.map((entry) => {
        const node = toNode(entry.value);
        return { key: entry.key, keySpan: entry.keySpan, value: node, span: { ...entry.keySpan, end: node.span.end } };
      });
      return { kind: "mapping", span, flow: true, entries };
    }
    case "unknown":
      return scalarAt(span, value.text === undefined ? deferred : partlyKnown(value.text));
    default:
      return scalarAt(span, deferred);
  }
}

/** Still open for every rule on values; the end of a path may name a model all the same. */
function partlyKnown(text: string): ScalarValue {
  return { type: "str", value: text.replaceAll(UNKNOWN_MARK, "${?}") };
}

function scalarAt(span: TextSpan, value: ScalarValue): ConfigNode {
  return { kind: "scalar", span, style: "plain", value };
}
