import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import {
  asMapping,
  type ConfigNode,
  followAlias,
  type MappingNode,
  type SequenceNode,
  textOf,
} from "../document/configNode.js";
import type { QuickFix, Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { quoteText } from "../document/rawList.js";
import type { Written } from "../rules/field.js";
import type { Finding } from "../rules/rule.js";
import { unquotedPatterns } from "./patternList.js";

const maxReported = 200;

/** The entries of a list of texts that are none, those left out that the rule on unquoted patterns reports. */
export function entryFindings(
  document: ConfigDocument,
  { path, entry, field }: Written,
  severityOf: (item: ConfigNode) => Severity,
): readonly Finding[] {
  const list = followAlias(entry.value);
  if (field?.type !== "list[str]" || list.kind !== "sequence") return [];
  return entriesNotText(document, list).map((item) => ({
    span: item.span,
    severity: severityOf(item),
    message: `Every entry of ${path} must be a text; this one is ${kindOf(item)}.`,
    fixes: quoteEntryFixes(document.text, item),
  }));
}

function entriesNotText(document: ConfigDocument, list: SequenceNode): readonly ConfigNode[] {
  return readableItems(document, list)
    .filter((item) => !isText(item))
    .slice(0, maxReported);
}

/** Items outside the places that the rule on unquoted patterns reports. */
function readableItems(document: ConfigDocument, list: SequenceNode): readonly ConfigNode[] {
  const broken = unquotedPatterns(document, list);
  if (list.flow && broken.length > 0) return [];
  const brokenStarts = new Set(broken.map((pattern) => pattern.span.start));
  return list.items.filter((item) => !brokenStarts.has(item.span.start));
}

function isText(item: ConfigNode): boolean {
  return textOf(item) !== undefined || (item.kind === "alias" && item.target === undefined);
}

/** What an entry is, with its article, for messages. */
export function kindOf(item: ConfigNode): string {
  const node = followAlias(item);
  if (node.kind === "mapping") return "a mapping";
  if (node.kind === "sequence") return "a list";
  if (node.kind === "alias") return "an alias";
  const names = { null: "null", bool: "a boolean", int: "a number", float: "a number", str: "a text" } as const;
  return names[node.value.type];
}

/** Quotes the text that an entry was meant to be, where that can be told. */
function quoteEntryFixes(text: string, item: ConfigNode): readonly QuickFix[] {
  const meant = meantText(text, item);
  return meant === undefined ? [] : [replaceFix(`Write ${shownWord(quoteText(meant))}`, item.span, quoteText(meant))];
}

function meantText(text: string, item: ConfigNode): string | undefined {
  const mapping = asMapping(item);
  if (mapping !== undefined) return item.kind === "mapping" ? loneKey(mapping) : undefined;
  const written = text.slice(item.span.start, item.span.end);
  return item.kind === "scalar" && written !== "" && item.value.type !== "null" ? written : undefined;
}

/** `{model.layers.*}` is a mapping with one key and no value. */
function loneKey(mapping: MappingNode): string | undefined {
  const [entry, ...others] = mapping.entries;
  if (entry === undefined || others.length > 0) return undefined;
  return entry.value.kind === "scalar" && entry.value.value.type === "null" ? entry.key : undefined;
}
