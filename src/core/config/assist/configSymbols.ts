import { counted } from "../../base/quantities.js";
import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, type ConfigNode, type MappingEntry, type MappingNode, textOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { type ConfigOutline, isPatternKey, keysAt } from "./outline.js";
import { patternEntries } from "./writtenPatterns.js";

/** One row of the outline view. */
export interface ConfigSymbol {
  readonly name: string;
  readonly detail: string;
  /** `engine`: a block that configures VeOmni's engine or its offload. */
  readonly kind: "engine" | "block" | "key" | "list" | "pattern";
  readonly span: TextSpan;
  /** Inside `span`. */
  readonly nameSpan: TextSpan;
  readonly children: readonly ConfigSymbol[];
}

const maxSymbols = 5_000;
const maxDepth = 20;
const maxDetail = 60;

/** Blocks, keys and patterns of a file as a tree; at most 5,000 rows. */
export function configSymbols(document: ConfigDocument, outline: ConfigOutline): readonly ConfigSymbol[] {
  const root = asMapping(document.root);
  return root === undefined ? [] : new SymbolWalk(document, outline).members(root, []);
}

class SymbolWalk {
  #left = maxSymbols;

  constructor(
    private readonly document: ConfigDocument,
    private readonly outline: ConfigOutline,
  ) {}

  members(mapping: MappingNode, path: readonly string[]): readonly ConfigSymbol[] {
    if (path.length >= maxDepth) return [];
    const symbols: ConfigSymbol[] = [];
    for (const entry of mapping.entries) {
      if (this.#left <= 0) break;
      if (!owns(mapping, entry)) continue;
      this.#left--;
      symbols.push(this.#symbol(entry, [...path, entry.key]));
    }
    return symbols;
  }

  #symbol(entry: MappingEntry, path: readonly string[]): ConfigSymbol {
    const { value } = entry;
    const nested = value.kind === "mapping" ? value : undefined;
    const isEngine = nested !== undefined && this.#isEngine(path);
    return {
      name: entry.key === "" ? '""' : entry.key,
      detail: isEngine ? "VeOmni engine" : detailOf(value),
      kind: nested !== undefined ? (isEngine ? "engine" : "block") : value.kind === "sequence" ? "list" : "key",
      span: entry.span,
      nameSpan: entry.keySpan,
      children: nested === undefined ? this.#patterns(entry) : this.members(nested, path),
    };
  }

  #isEngine(path: readonly string[]): boolean {
    if (this.outline.dialect !== "verl") return false;
    const place = keysAt(this.outline, path);
    return place?.kind === "verl-engine" && place.path === "";
  }

  #patterns(entry: MappingEntry): readonly ConfigSymbol[] {
    if (!isPatternKey(entry.key)) return [];
    return patternEntries(this.document, entry.value)
      .filter(({ span }) => span.start >= entry.span.start && span.end <= entry.span.end && this.#left-- > 0)
      .map(({ span, text }) => ({
        name: text === "" ? '""' : text,
        detail: "pattern",
        kind: "pattern",
        span,
        nameSpan: span,
        children: [],
      }));
  }
}

function detailOf(value: ConfigNode): string {
  if (value.kind === "alias") return `*${value.name}`;
  if (value.kind === "sequence") return counted(value.items.length, "entry", "entries");
  if (value.kind === "mapping") return "";
  const text =
    textOf(value) ?? (value.value.type === "null" ? "" : String("value" in value.value ? value.value.value : ""));
  const line = text.split(/[\r\n]/, 1)[0] ?? "";
  return shownWord(line, maxDetail);
}

function owns(mapping: MappingNode, entry: MappingEntry): boolean {
  return entry.span.start >= mapping.span.start && entry.span.end <= mapping.span.end;
}
