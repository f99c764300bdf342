import type { Refused, YamlItem, YamlMapping, YamlNode, YamlScalar } from "./composeYaml.js";
import type { YamlReader } from "./plainScalar.js";
import { tagOf, valueUnder } from "./scalarValue.js";

const core = "tag:yaml.org,2002:";
/** Merge keys can multiply; a text with more entries than this is taken to load. */
const maxEntries = 200_000;

/**
 * The first thing in a composed text that PyYAML's `SafeConstructor` stops at, in its order: tags that nobody builds, values that
 * are none of their type, keys that are lists or mappings, merge keys of something else. For OmegaConf also two equal keys that
 * a merge key brings together; those that are written twice are found by `parseConfig`.
 */
export function constructRefusal(root: YamlNode, reader: YamlReader): Refused | undefined {
  return new Construction(reader).run(root);
}

type Pair = readonly [key: YamlNode, value: YamlNode];

class Construction {
  readonly #built = new Set<YamlNode>();
  readonly #pairs = new Map<YamlMapping, readonly Pair[]>();
  /** Keys `=`, which a mapping reads as text. */
  readonly #retagged = new Set<YamlScalar>();
  #queue: (() => Refused | undefined)[] = [];
  #entriesLeft = maxEntries;

  constructor(private readonly reader: YamlReader) {}

  run(root: YamlNode): Refused | undefined {
    const first = this.#build(root);
    if (first !== undefined) return first;
    while (this.#queue.length > 0) {
      const round = this.#queue;
      this.#queue = [];
      for (const fill of round) {
        const refused = fill();
        if (refused !== undefined) return refused;
        if (this.#entriesLeft <= 0) return undefined;
      }
    }
    return undefined;
  }

  /** Collections are filled later, level by level: a list may hold itself. */
  #build(node: YamlNode): Refused | undefined {
    if (this.#built.has(node)) return undefined;
    this.#built.add(node);
    const tag = this.#tag(node).slice(core.length);
    if (!this.#tag(node).startsWith(core) || !knownTags.has(tag)) return unknownTag(node, this.#tag(node));
    if (node.kind !== (kindOfTag[tag] ?? "scalar")) return wrongKind(node, tag);
    if (node.kind === "scalar") {
      return valueUnder(this.#tag(node), node.text) === undefined ? wrongValue(node, tag) : undefined;
    }
    if (node.kind === "mapping") this.#queue.push(() => this.#fillMapping(node));
    else if (tag === "seq") this.#queue.push(() => this.#buildAll(node.items.map(followed)));
    else this.#queue.push(() => this.#fillPairs(node.items.map(followed)));
    return undefined;
  }

  #tag(node: YamlNode): string {
    if (node.kind === "scalar") return this.#retagged.has(node) ? `${core}str` : tagOf(node, this.reader);
    if (node.tag !== undefined && node.tag !== "!") return node.tag;
    return `${core}${node.kind === "sequence" ? "seq" : "map"}`;
  }

  #buildAll(nodes: readonly YamlNode[]): Refused | undefined {
    for (const node of nodes) {
      const refused = this.#build(node);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #fillMapping(node: YamlMapping): Refused | undefined {
    const repeated = this.reader === "omegaconf" ? this.#mergedTwice(node) : undefined;
    const refused = repeated ?? this.#flatten(node);
    if (refused !== undefined) return refused;
    for (const [key, value] of this.#pairsOf(node)) {
      const stopped = this.#build(key) ?? unhashable(key, this.#tag(key)) ?? this.#build(value);
      if (stopped !== undefined) return stopped;
    }
    return undefined;
  }

  /** `!!omap` and `!!pairs`: a list of mappings of one entry each. */
  #fillPairs(items: readonly YamlNode[]): Refused | undefined {
    for (const item of items) {
      const pairs = item.kind === "mapping" ? this.#pairsOf(item) : [];
      const refused = pairs.length === 1 ? this.#buildAll(pairs.flat()) : wrongKind(item, "omap");
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #pairsOf(node: YamlMapping): readonly Pair[] {
    const known = this.#pairs.get(node);
    if (known !== undefined) return known;
    const pairs = node.pairs.map(({ key, value }): Pair => [followed(key), followed(value ?? emptyAt(key.end))]);
    this.#pairs.set(node, pairs);
    return pairs;
  }

  /** Puts merged entries before the mapping's own, once and for all places that refer to it. */
  #flatten(node: YamlMapping): Refused | undefined {
    const merged: Pair[] = [];
    const own: Pair[] = [];
    const pairs = this.#pairsOf(node);
    if (!pairs.some(([key]) => this.#tag(key) === `${core}merge` || this.#tag(key) === `${core}value`))
      return undefined;
    this.#pairs.set(
      node,
      pairs.filter(([key]) => this.#tag(key) !== `${core}merge`),
    );
    for (const [key, value] of pairs) {
      if (key.kind === "scalar" && this.#tag(key) === `${core}value`) this.#retagged.add(key);
      if (this.#tag(key) !== `${core}merge`) own.push([key, value]);
      else {
        const refused = this.#merge(value, merged);
        if (refused !== undefined) return refused;
      }
    }
    this.#pairs.set(node, [...merged, ...own]);
    return undefined;
  }

  #merge(value: YamlNode, into: Pair[]): Refused | undefined {
    const sources = value.kind === "sequence" ? value.items.map(followed) : [value];
    const lists: (readonly Pair[])[] = [];
    for (const source of sources) {
      if (source.kind !== "mapping") return notMergeable(source);
      const refused = this.#flatten(source);
      if (refused !== undefined) return refused;
      lists.push(this.#pairsOf(source));
    }
    for (const list of lists.reverse()) {
      this.#entriesLeft -= list.length;
      if (this.#entriesLeft <= 0) return undefined;
      for (const pair of list) into.push(pair);
    }
    return undefined;
  }

  /** Equal keys of a mapping whose merge key another place has resolved before. */
  #mergedTwice(node: YamlMapping): Refused | undefined {
    const written = new Set(node.pairs.map(({ key }) => followed(key)));
    const seen = new Map<string, YamlNode>();
    for (const [key] of this.#pairsOf(node)) {
      if (key.kind !== "scalar" || this.#tag(key) !== `${core}str`) continue;
      const first = seen.get(key.text);
      if (first !== undefined && !(written.has(first) && written.has(key))) return repeatedKey(key);
      seen.set(key.text, key);
    }
    return undefined;
  }
}

const kindOfTag: Readonly<Record<string, YamlNode["kind"]>> = {
  map: "mapping",
  set: "mapping",
  seq: "sequence",
  omap: "sequence",
  pairs: "sequence",
};
const knownTags: ReadonlySet<string> = new Set([
  ...["null", "bool", "int", "float", "binary", "timestamp", "str"],
  ...Object.keys(kindOfTag),
]);

function followed(item: YamlItem): YamlNode {
  return item.kind === "alias" ? item.target : item;
}

function emptyAt(at: number): YamlScalar {
  return { kind: "scalar", start: at, end: at, text: "", style: "plain" };
}

function at(node: YamlNode, code: string, message: string): Refused {
  return { code, message, start: node.start, end: Math.max(node.end, node.start) };
}

function unknownTag(node: YamlNode, tag: string): Refused {
  if (tag === `${core}value`) {
    return at(node, "UNKNOWN_TAG", "PyYAML does not build the value =. Quote it if the text is meant");
  }
  if (tag === `${core}merge`) {
    return at(node, "UNKNOWN_TAG", "PyYAML does not build << as a value. Quote it if the text is meant");
  }
  return at(node, "UNKNOWN_TAG", `Nothing builds a value with the tag ${tag}. Remove the tag, or quote the text`);
}

function wrongKind(node: YamlNode, tag: string): Refused {
  return at(node, "TAG_MISFIT", `What stands here is no value of the type !!${tag}. Remove the tag, or mend the value`);
}

function wrongValue(node: YamlScalar, tag: string): Refused {
  if (node.tag === undefined || node.tag === "!") {
    return at(node, "VALUE_MISFIT", `PyYAML takes this for !!${tag}, and it is none. Quote it if the text is meant`);
  }
  return wrongKind(node, tag);
}

function unhashable(key: YamlNode, tag: string): Refused | undefined {
  if (key.kind === "scalar" && tag !== `${core}set`) return undefined;
  return at(key, "BAD_KEY", "A list or a mapping cannot be a key. Quote the text if brackets or braces belong to it");
}

function notMergeable(node: YamlNode): Refused {
  return at(node, "BAD_MERGE", "Behind << stands a mapping, an alias of one, or a list of these");
}

function repeatedKey(key: YamlScalar): Refused {
  const message = `OmegaConf finds the key ${key.text} twice here: a merge key brings it in, and it is written as well`;
  return at(key, "MERGED_TWICE", message);
}
