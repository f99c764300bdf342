import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, type ConfigNode, type MappingEntry, type MappingNode } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { documentOf, type YamlConfig } from "../readConfig.js";
import { type ConfigFold, configFolds } from "./configFolds.js";
import { type ConfigSymbol, configSymbols } from "./configSymbols.js";
import { type ConfigOutline, isPatternKey, keysAt, outlineOf } from "./outline.js";
import { linkOfAlias, linksOf, type ReferenceLink } from "./references.js";
import { type Environment, type ValueHint, valueHintOf } from "./valueHints.js";
import { type PatternEntry, patternEntries } from "./writtenPatterns.js";

/** A list of module patterns with its place. */
export interface PatternListEntry {
  /** Dotted path of the block that holds the key. */
  readonly blockPath: string;
  readonly keySpan: TextSpan;
  readonly entries: readonly PatternEntry[];
}

/** What one parse of a file gives to the editor's features: plain data, so that it can come from another thread. */
export interface DocumentReading {
  readonly outline: ConfigOutline;
  /** The text has syntax errors, so parts may be missing. */
  readonly broken: boolean;
  readonly symbols: readonly ConfigSymbol[];
  readonly folds: readonly ConfigFold[];
  readonly links: readonly ReferenceLink[];
  readonly hints: readonly ValueHint[];
  readonly patternLists: readonly PatternListEntry[];
}

const maxEntries = 200_000;
const maxLinks = 5_000;
const maxHints = 5_000;
const maxDepth = 60;

/** What the editor's features need of a YAML file. */
export function readingOf(yaml: YamlConfig, environment: Environment = {}): DocumentReading {
  const outline = outlineOf(yaml);
  const document = documentOf(yaml);
  const walk = new EntryWalk(document, outline, environment);
  if (document.root !== undefined) walk.visit(document.root, [], 0);
  return {
    outline,
    broken: document.syntaxProblems.length > 0,
    symbols: configSymbols(document, outline),
    folds: configFolds(document),
    links: walk.links,
    hints: walk.hints,
    patternLists: walk.patternLists,
  };
}

class EntryWalk {
  readonly links: ReferenceLink[] = [];
  readonly hints: ValueHint[] = [];
  readonly patternLists: PatternListEntry[] = [];
  #left = maxEntries;

  constructor(
    private readonly document: ConfigDocument,
    private readonly outline: ConfigOutline,
    private readonly environment: Environment,
  ) {}

  visit(node: ConfigNode, path: readonly string[], depth: number): void {
    if (depth > maxDepth || this.#left-- <= 0) return;
    if (node.kind === "alias") this.#link(linkOfAlias(node));
    else if (node.kind === "scalar") this.#link(this.#interpolates() ? linksOf(this.document, node, path) : []);
    else if (node.kind === "sequence") for (const item of node.items) this.visit(item, path, depth + 1);
    else this.#visitMapping(node, path, depth);
  }

  #visitMapping(mapping: MappingNode, path: readonly string[], depth: number): void {
    for (const entry of mapping.entries) {
      if (entry.span.start < mapping.span.start || entry.span.end > mapping.span.end) continue;
      const nested = asMapping(entry.value) !== undefined;
      this.#entry(entry, path);
      this.visit(entry.value, nested ? [...path, entry.key] : path, depth + 1);
    }
  }

  #entry(entry: MappingEntry, path: readonly string[]): void {
    const known = isPatternKey(entry.key) && keysAt(this.outline, path)?.docs.some(({ name }) => name === entry.key);
    if (known === true) {
      const entries = patternEntries(this.document, entry.value);
      this.patternLists.push({ blockPath: path.join("."), keySpan: entry.keySpan, entries });
    }
    if (this.hints.length >= maxHints) return;
    const found = valueHintOf(this.document, entry, path, this.environment);
    this.hints.push(...found.filter((hint) => hint.label.endsWith("bytes") || this.#interpolates()));
  }

  #link(links: readonly ReferenceLink[]): void {
    if (this.links.length < maxLinks) this.links.push(...links);
  }

  /** PyYAML leaves `${…}` as text. */
  #interpolates(): boolean {
    return this.outline.dialect === "verl";
  }
}
