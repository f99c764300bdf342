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
import { shownWord } from "../../base/shownWord.js";
import { resolvePlainScalar, type ScalarValue, type YamlReader } from "../yaml/plainScalar.js";
import type { ConfigNode, MappingEntry, ScalarNode } from "./configNode.js";
import type { TextSpan } from "./diagnostic.js";
import { type DuplicateKey, entryOfPair, MappingBuilder, nullAt, type WrittenEntry } from "./mappingEntries.js";
import type { SyntaxProblem } from "./syntaxProblem.js";

/** What can be made out in a text that does not load. */
export interface BrokenNodes {
  readonly root: ConfigNode | undefined;
  /** May be none: the parser used here accepts texts that PyYAML refuses. */
  readonly problems: readonly SyntaxProblem[];
  readonly duplicateKeys: readonly DuplicateKey[];
}

const maxDepth = 200;

/**
 * Reads a text that PyYAML refuses with a parser that goes on behind mistakes, so that everything else in the text still has its
 * rules, hovers and completions. Scalars stay text in the parser and are resolved here. `undefined` for a text that nests too deep.
 */
export function brokenNodes(text: string, reader: YamlReader): BrokenNodes | undefined {
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
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const conversion = new Conversion(text, reader);
  const root = parsed.contents === null ? undefined : conversion.convert(parsed.contents, 0);
  const problems = [...parsed.errors.map((error) => problemOf(error, text.length)), ...conversion.problems];
  return { root, problems, duplicateKeys: conversion.mappings.duplicateKeys };
}

/** The parser may place an error at the missing character behind the end; that becomes the last one. */
function problemOf(error: YAMLParseError, textLength: number): SyntaxProblem {
  const end = Math.min(Math.max(error.pos[0], error.pos[1]), textLength);
  const start = Math.min(error.pos[0], Math.max(0, end - 1));
  return { code: error.code, message: error.message, span: { start, end } };
}

class Conversion {
  readonly problems: SyntaxProblem[] = [];
  readonly mappings = new MappingBuilder();
  readonly #anchors = new Map<string, ConfigNode>();

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
    if (depth > maxDepth) return nullAt(span.start);
    if (isMap(node)) return this.#convertMap(node, span, depth);
    if (isSeq(node)) return this.#convertSeq(node, span, depth);
    return this.#convertScalar(node, span);
  }

  #convertAlias(name: string, span: TextSpan): ConfigNode {
    const target = this.#anchors.get(name);
    if (target !== undefined) return { kind: "alias", span, name, target };
    if (name !== "") {
      const message = `A leading * makes this an alias, and no anchor &${shownWord(name)} stands before it`;
      this.problems.push({ code: "UNRESOLVED_ALIAS", message, span });
    }
    return { kind: "alias", span, name };
  }

  #convertMap(map: YAMLMap.Parsed, span: TextSpan, depth: number): ConfigNode {
    const written: WrittenEntry[] = [];
    for (const pair of map.items) {
      const entry = this.#convertPair(pair, depth);
      if (entry !== undefined) written.push({ entry, merges: entry.key === "<<" && !isQuoted(pair.key) });
    }
    return this.mappings.build(written, { span, flow: map.flow === true });
  }

  #convertPair(pair: Pair<ParsedNode, ParsedNode | null>, depth: number): MappingEntry | undefined {
    const key = pair.key;
    if (!isScalar(key)) {
      this.convert(key, depth + 1);
      if (pair.value !== null) this.convert(pair.value, depth + 1);
      return undefined;
    }
    const keySpan = this.#spanOf(key);
    return entryOfPair(
      String(key.value),
      keySpan,
      pair.value === null ? undefined : this.convert(pair.value, depth + 1),
    );
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
