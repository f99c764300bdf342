import type { ConfigDocument } from "../document/configDocument.js";
import { type ConfigNode, followAlias, isDeferred, type SequenceNode, textOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { intendedText, readRawList } from "../document/rawList.js";
import { linesOfText } from "../yaml/lineBreaks.js";

/** A pattern that YAML does not read as the text it is, because it was not quoted. */
export interface UnquotedPattern {
  readonly span: TextSpan;
  /** The text that was meant. */
  readonly text: string;
  /** `value`: it stands where the list should stand. */
  readonly place: "flow-list" | "block-list" | "value";
}

const maxPatternLength = 1_000;

/**
 * Finds the entries of a pattern list whose braces or leading star YAML takes for itself: `[model.layers.{*}]`,
 * `[model.layers.[0-3]]`, `- *.layers`, `- {*}`. Aliases of existing anchors and deliberate nested lists are left alone.
 */
export function unquotedPatterns(document: ConfigDocument, value: ConfigNode): readonly UnquotedPattern[] {
  if (value.kind === "sequence") return value.flow ? inFlowList(document, value) : inBlockList(document, value);
  if (!isUnreadable(document, value)) return [];
  const line = restOfLine(document.text, value.span.start);
  return [{ ...line, place: "value" }];
}

/**
 * The patterns that a list, or the text in its place, was meant to hold: broken entries as their authors meant them, entries
 * that are not texts left out. A `string` when one text was written; `undefined` for null and for values known at run time only.
 */
export function intendedPatterns(document: ConfigDocument, value: ConfigNode): readonly string[] | string | undefined {
  const node = followAlias(value);
  if (node.kind === "sequence") return patternsOf(document, node);
  const broken = unquotedPatterns(document, node);
  if (broken[0] !== undefined) return broken[0].text;
  return isDeferred(node) ? undefined : textOf(node);
}

/**
 * Whether the value is written out but holds something that no pattern can be: null, a number or a mapping in the place of the
 * list, or such an entry in it. The framework fails there, or takes something else than was written.
 */
export function holdsOtherThanTexts(document: ConfigDocument, value: ConfigNode): boolean {
  const node = followAlias(value);
  const unquoted = new Set(unquotedPatterns(document, node).map((pattern) => pattern.span.start));
  const isOther = (entry: ConfigNode) =>
    !unquoted.has(entry.span.start) && !isDeferred(entry) && textOf(followAlias(entry)) === undefined;
  if (node.kind !== "sequence") return isOther(node);
  // Braces without quotes break a flow list into entries that nobody meant.
  return !(node.flow && unquoted.size > 0) && node.items.some(isOther);
}

function patternsOf(document: ConfigDocument, list: SequenceNode): readonly string[] {
  const broken = unquotedPatterns(document, list);
  if (list.flow && broken.length > 0) {
    return (readRawList(document.text, list.span.start)?.entries ?? []).map(intendedText);
  }
  const brokenByStart = new Map(broken.map((pattern) => [pattern.span.start, pattern.text]));
  return list.items
    .map((item) => brokenByStart.get(item.span.start) ?? (isDeferred(item) ? undefined : textOf(item)))
    .filter((text) => text !== undefined);
}

function inFlowList(document: ConfigDocument, list: SequenceNode): readonly UnquotedPattern[] {
  const raw = readRawList(document.text, list.span.start);
  if (raw === undefined || raw.end !== list.span.end) return [];
  const aliases = new Set(list.items.filter(isResolvedAlias).map((item) => item.span.start));
  return raw.entries
    .filter((entry) => !entry.quoted && !aliases.has(entry.span.start) && needsQuotesInFlow(entry.text))
    .map((entry) => ({ span: entry.span, text: entry.text, place: "flow-list" }));
}

/** Brackets and braces end a plain text in flow style; a star in front makes an alias. */
function needsQuotesInFlow(text: string): boolean {
  if (text.startsWith("*") || text.startsWith("{*}")) return true;
  return /[{}[\]]/.test(text) && !/^[{[]/.test(text) && !/:\s/.test(text);
}

function inBlockList(document: ConfigDocument, list: SequenceNode): readonly UnquotedPattern[] {
  return list.items
    .filter((item) => isUnreadable(document, item))
    .map((item) => ({ ...restOfLine(document.text, item.span.start), place: "block-list" }));
}

/** True for an alias without anchor, and for `{*}`, each with whatever follows it on the line. */
function isUnreadable(document: ConfigDocument, node: ConfigNode): boolean {
  if (node.kind === "alias") return node.target === undefined;
  return node.kind === "mapping" && node.flow && document.text.startsWith("{*}", node.span.start);
}

function isResolvedAlias(node: ConfigNode): boolean {
  return node.kind === "alias" && node.target !== undefined;
}

function restOfLine(text: string, start: number): { span: TextSpan; text: string } {
  const line = linesOfText(text.slice(start, start + maxPatternLength))[0] ?? "";
  const content = line.replace(/\s+#.*$/, "").trimEnd();
  return { span: { start, end: start + content.length }, text: content };
}
