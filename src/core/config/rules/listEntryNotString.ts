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
import { unquotedPatterns } from "../patterns/patternList.js";
import type { BlockContext, BlockRule } from "../verl/blockRule.js";
import { severityFor } from "../verl/severity.js";
import { type WrittenField, writtenFields } from "../verl/writtenFields.js";
import { engineExample } from "./example.js";
import type { Finding } from "./rule.js";

const maxReported = 200;

/** An entry of a pattern or class list that is not a text. */
export const listEntryNotString: BlockRule = {
  code: "list-entry-not-string",
  severities: ["error", "warning", "information"],
  explanation:
    "The matcher searches each entry for {*} and splits it at dots. A number, null, list or mapping has neither, so the model build ends with TypeError or AttributeError.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: [{model.layers.*}]"),
  check: (context) => writtenFields(context.block).flatMap((written) => findingsFor(context, written)),
};

function findingsFor(context: BlockContext, written: WrittenField): readonly Finding[] {
  const list = followAlias(written.entry.value);
  const { field } = written;
  if (field?.type !== "list[str]" || list.kind !== "sequence") return [];
  return entriesNotText(context.document, list).map((item) => ({
    span: item.span,
    severity: severityFor(context.block, field, severityWhenRead(written.key, item)),
    message: `Every entry of ${written.key} must be a text; this one is ${kindOf(item)}.`,
    fixes: quoteEntryFixes(context.document.text, item),
  }));
}

/** The first entries of a list that are not texts, those left out that the rule on unquoted patterns reports. */
export function entriesNotText(document: ConfigDocument, list: SequenceNode): readonly ConfigNode[] {
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

/** Class names go into a set: an odd scalar only never matches there. */
function severityWhenRead(key: string, item: ConfigNode): Severity {
  return key === "basic_modules" && followAlias(item).kind === "scalar" ? "warning" : "error";
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
export function quoteEntryFixes(text: string, item: ConfigNode): readonly QuickFix[] {
  const meant = meantText(text, item);
  return meant === undefined ? [] : [replaceFix(`Write ${quoteText(meant)}`, item.span, quoteText(meant))];
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
