import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseDocument as parseYaml,
  type Scalar,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from "yaml";
import { asMapping, type ConfigNode, type MappingEntry, type MappingNode, type ScalarNode } from "./configNode.js";
import type { TextSpan } from "./diagnostic.js";
import { withLineFeeds } from "./lineBreaks.js";
import { nestingBound } from "./nesting.js";
import { resolvePlainScalar, type ScalarValue, type YamlReader } from "./plainScalar.js";

/** Something that a YAML loader would refuse. `code` is the parser's own (`BAD_ALIAS`), or one of ours. */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly span: TextSpan;
}

/** A key that stands twice in one mapping. */
export interface DuplicateKey {
  readonly first: MappingEntry;
  readonly again: MappingEntry;
  readonly mapping: MappingNode;
}

/** A parsed configuration file. A broken text still gives every node that could be read. */
export interface ConfigDocument {
  /** The text that was read, with line feeds in place of lone carriage returns. */
  readonly text: string;
  readonly root: ConfigNode | undefined;
  readonly syntaxProblems: readonly SyntaxProblem[];
  readonly duplicateKeys: readonly DuplicateKey[];
}

/** Longer texts are refused: a training config has a few hundred lines. */
export const maxConfigLength = 4 * 1024 * 1024;
const maxNesting = 100;
const maxSyntaxProblems = 50;
const maxMergedEntries = 10_000;

/**
 * Parses one YAML 1.1 document as `reader` would. Never throws on any text: what cannot be read is in `syntaxProblems`.
 * Scalars stay text in the parser and are resolved here, so that booleans, octals and exponents follow the Python loaders;
 * duplicate keys are found here too, in linear time.
 */
export function parseConfig(source: string, reader: YamlReader): ConfigDocument {
  const text = withLineFeeds(source);
  const refusal = refuse(text);
  if (refusal !== undefined) return unreadable(text, refusal);
  let parsed: Document.Parsed;
  try {
    parsed = parseYaml(text, {
      version: "1.1",
      schema: "failsafe",
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
    });
  } catch (error) {
    if (error instanceof RangeError) return unreadable(text, tooDeep);
    throw error;
  }
  const conversion = new Conversion(text, reader);
  const root = parsed.contents === null ? undefined : conversion.convert(parsed.contents, 0);
  const problems = [...parsed.errors.map((error) => problemOf(error, text.length)), ...conversion.problems];
  problems.sort((left, right) => left.span.start - right.span.start);
  return {
    text,
    root,
    syntaxProblems: problems.slice(0, maxSyntaxProblems),
    duplicateKeys: conversion.duplicateKeys,
  };
}

type Refusal = Pick<SyntaxProblem, "code" | "message">;

const tooDeep: Refusal = {
  code: "TOO_DEEP",
  message: `The text nests more than ${maxNesting} levels deep and is not read.`,
};

function refuse(text: string): Refusal | undefined {
  if (text.length > maxConfigLength) {
    return { code: "TOO_LONG", message: `The text is longer than ${maxConfigLength} characters and is not read.` };
  }
  return nestingBound(text) > maxNesting ? tooDeep : undefined;
}

function unreadable(text: string, refusal: Refusal): ConfigDocument {
  const span = { start: 0, end: Math.min(1, text.length) };
  return { text, root: undefined, syntaxProblems: [{ ...refusal, span }], duplicateKeys: [] };
}

/** The parser may place an error at the missing character behind the end; that becomes the last one. */
function problemOf(error: YAMLParseError, textLength: number): SyntaxProblem {
  const end = Math.min(Math.max(error.pos[0], error.pos[1]), textLength);
  const start = Math.min(error.pos[0], Math.max(0, end - 1));
  return { code: error.code, message: error.message, span: { start, end } };
}

class Conversion {
  readonly problems: SyntaxProblem[] = [];
  readonly duplicateKeys: DuplicateKey[] = [];
  readonly #anchors = new Map<string, ConfigNode>();
  #mergedEntriesLeft = maxMergedEntries;

  constructor(
    private readonly text: string,
    private readonly reader: YamlReader,
  ) {}

  convert(node: ParsedNode, depth: number): ConfigNode {
    const converted = this.#convertContent(node, depth);
    if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, converted);
    return converted;
  }

  #convertContent(node: ParsedNode, depth: number): ConfigNode {
    const span = this.#spanOf(node);
    if (isAlias(node)) return this.#convertAlias(node.source, span);
    if (depth > 2 * maxNesting) return nullAt(span.start);
    if (isMap(node)) return this.#convertMap(node, span, depth);
    if (isSeq(node)) return this.#convertSeq(node, span, depth);
    return this.#convertScalar(node, span);
  }

  #convertAlias(name: string, span: TextSpan): ConfigNode {
    const target = this.#anchors.get(name);
    if (target !== undefined) return { kind: "alias", span, name, target };
    if (name !== "") {
      const message = `A leading * makes this an alias, and no anchor &${name} stands before it.`;
      this.problems.push({ code: "UNRESOLVED_ALIAS", message, span });
    }
    return { kind: "alias", span, name };
  }

  #convertMap(map: YAMLMap.Parsed, span: TextSpan, depth: number): ConfigNode {
    const own: MappingEntry[] = [];
    const merged: MappingEntry[] = [];
    const seen = new Map<string, MappingEntry>();
    const repeated: Omit<DuplicateKey, "mapping">[] = [];
    for (const pair of map.items) {
      const entry = this.#convertPair(pair, depth);
      if (entry === undefined) continue;
      if (entry.key === "<<" && !isQuoted(pair.key)) {
        for (const inherited of mergedEntries(entry.value)) merged.push(inherited);
        continue;
      }
      const first = seen.get(entry.key);
      if (first === undefined) seen.set(entry.key, entry);
      else repeated.push({ first, again: entry });
      own.push(entry);
    }
    const entries = [...this.#inherit(merged, seen), ...own];
    const mapping: MappingNode = { kind: "mapping", span, flow: map.flow === true, entries };
    for (const pair of repeated) this.duplicateKeys.push({ ...pair, mapping });
    return mapping;
  }

  /** Merged entries under keys that the mapping does not hold itself; of several the first. Bounded, as merges can multiply. */
  #inherit(merged: readonly MappingEntry[], own: ReadonlyMap<string, MappingEntry>): MappingEntry[] {
    const inherited = new Map<string, MappingEntry>();
    for (const entry of merged) {
      if (own.has(entry.key) || inherited.has(entry.key)) continue;
      if (this.#mergedEntriesLeft-- <= 0) break;
      inherited.set(entry.key, entry);
    }
    return [...inherited.values()];
  }

  #convertPair(pair: Pair<ParsedNode, ParsedNode | null>, depth: number): MappingEntry | undefined {
    const key = pair.key;
    if (!isScalar(key)) {
      this.convert(key, depth + 1);
      if (pair.value !== null) this.convert(pair.value, depth + 1);
      return undefined;
    }
    const keySpan = this.#spanOf(key);
    const value = pair.value === null ? nullAt(keySpan.end) : this.convert(pair.value, depth + 1);
    const span = { start: keySpan.start, end: Math.max(keySpan.end, value.span.end) };
    return { key: String(key.value), keySpan, value, span };
  }

  #convertSeq(seq: YAMLSeq.Parsed, span: TextSpan, depth: number): ConfigNode {
    const items: ConfigNode[] = [];
    for (const item of seq.items as readonly unknown[]) items.push(this.#convertItem(item, span, depth));
    return { kind: "sequence", span, flow: seq.flow === true, items };
  }

  #convertItem(item: unknown, listSpan: TextSpan, depth: number): ConfigNode {
    if (isMap(item) || isSeq(item) || isScalar(item) || isAlias(item))
      return this.convert(item as ParsedNode, depth + 1);
    return nullAt(listSpan.start);
  }

  #convertScalar(node: Scalar.Parsed, span: TextSpan): ScalarNode {
    const text = String(node.value ?? "");
    if (isQuoted(node)) return { kind: "scalar", span, style: "quoted", value: { type: "str", value: text } };
    if (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED") {
      return { kind: "scalar", span, style: "block", value: { type: "str", value: text } };
    }
    return { kind: "scalar", span, style: "plain", value: this.#resolve(text, node.tag) };
  }

  #resolve(text: string, tag: string | undefined): ScalarValue {
    const taggedAsText = tag === "!" || tag === "tag:yaml.org,2002:str";
    return taggedAsText ? { type: "str", value: text } : resolvePlainScalar(text, this.reader);
  }

  /** The parser's range, less the line breaks and comments that it counts to a block collection. */
  #spanOf(node: ParsedNode): TextSpan {
    const [start, valueEnd] = node.range;
    return { start, end: Math.max(start, this.#contentEnd(node, valueEnd)) };
  }

  #contentEnd(node: ParsedNode, valueEnd: number): number {
    const isBlockCollection = (isMap(node) || isSeq(node)) && node.flow !== true;
    if (isBlockCollection) {
      const last = node.items.at(-1);
      const lastNode = isMap(node)
        ? lastOfPair(last as Pair<ParsedNode, ParsedNode | null>)
        : (last as ParsedNode | undefined);
      if (lastNode?.range) return this.#spanOf(lastNode).end;
    }
    let end = valueEnd;
    while (end > 0 && /\s/.test(this.text[end - 1] ?? "")) end--;
    return end;
  }
}

function lastOfPair(pair: Pair<ParsedNode, ParsedNode | null> | undefined): ParsedNode | undefined {
  return pair?.value ?? pair?.key;
}

function isQuoted(node: unknown): boolean {
  return isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
}

function mergedEntries(value: ConfigNode): readonly MappingEntry[] {
  const direct = asMapping(value);
  if (direct !== undefined) return direct.entries;
  return value.kind === "sequence" ? value.items.flatMap((item) => asMapping(item)?.entries ?? []) : [];
}

function nullAt(offset: number): ScalarNode {
  return { kind: "scalar", span: { start: offset, end: offset }, style: "plain", value: { type: "null" } };
}
