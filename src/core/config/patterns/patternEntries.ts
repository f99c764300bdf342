import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import { type ConfigNode, followAlias, isDeferred, type SequenceNode, textOf } from "../document/configNode.js";
import type { QuickFix, TextEdit, TextSpan } from "../document/diagnostic.js";
import { lineBreakOf } from "../document/edits.js";
import { quoteText } from "../document/rawList.js";
import type { Finding, RuleFacts } from "../rules/rule.js";
import { lineEndAt, lineStartAt, nextLineAt } from "../yaml/lineBreaks.js";
import { unquotedPatterns } from "./patternList.js";

/** One pattern of a list with its place, and the edits that are possible there. */
export interface PatternEntry {
  readonly text: string;
  readonly span: TextSpan;
  /** Puts other patterns in its place; `undefined` where the text around does not allow it. */
  replace(texts: readonly string[]): TextEdit | undefined;
  /** Takes it out; `undefined` for the last one of a list, and where the text around does not allow it. */
  remove(): TextEdit | undefined;
}

/** A pattern list as it stands in a file. */
export interface PatternList {
  readonly entries: readonly PatternEntry[];
  /** Gradient checkpointing of the model that is trained; `undefined` when the file does not say (it is on by default). */
  readonly checkpointing: boolean | undefined;
}

/** A rule on the patterns of one list, which needs no model. */
export interface PatternRule extends RuleFacts {
  check(list: PatternList): readonly Finding[];
}

const maxEntries = 500;

/** The readable texts of a list in YAML; `undefined` for anything else and for lists that YAML cannot read. */
export function readPatternList(
  document: ConfigDocument,
  value: ConfigNode | undefined,
  checkpointing: boolean | undefined,
): PatternList | undefined {
  const list = value === undefined ? undefined : followAlias(value);
  if (list?.kind !== "sequence" || unquotedPatterns(document, list).length > 0) return undefined;
  const entries = list.items.slice(0, maxEntries).flatMap((item, index) => {
    const text = isDeferred(item) || item.kind === "alias" ? undefined : textOf(item);
    return text === undefined ? [] : [entryAt(document.text, list, index, item, text)];
  });
  return { entries, checkpointing };
}

function entryAt(source: string, list: SequenceNode, index: number, item: ConfigNode, text: string): PatternEntry {
  return {
    text,
    span: item.span,
    replace: (texts) => replaceItem(source, list, item, texts),
    remove: () => removeItem(source, list, index),
  };
}

function replaceItem(
  source: string,
  list: SequenceNode,
  item: ConfigNode,
  texts: readonly string[],
): TextEdit | undefined {
  const isPlain = item.kind === "scalar" && item.style === "plain" && !list.flow;
  const written = texts.map((text) => (isPlain && isSafePlain(text) ? text : quoteText(text)));
  if (list.flow) return { span: item.span, newText: written.join(", ") };
  const marker = /(?:^|[\n\r\x85\u2028\u2029])( *- +)$/.exec(
    source.slice(Math.max(0, item.span.start - 200), item.span.start),
  )?.[1];
  if (marker === undefined && texts.length > 1) return undefined;
  return { span: item.span, newText: written.join(`${lineBreakOf(source)}${marker ?? ""}`) };
}

/** True for texts that a block list holds without quotes. */
function isSafePlain(text: string): boolean {
  return /^[A-Za-z_][\w.*?{}[\]-]*$/.test(text);
}

function removeItem(source: string, list: SequenceNode, index: number): TextEdit | undefined {
  const item = list.items[index];
  const next = list.items[index + 1];
  const previous = list.items[index - 1];
  if (item === undefined || list.items.length < 2) return undefined;
  if (list.flow) {
    if (next !== undefined) return { span: { start: item.span.start, end: next.span.start }, newText: "" };
    return { span: { start: previous?.span.end ?? item.span.start, end: item.span.end }, newText: "" };
  }
  const lineStart = lineStartAt(source, item.span.start);
  const isLast = lineEndAt(source, item.span.end) === source.length;
  if (!/^ *- +$/.test(source.slice(lineStart, item.span.start))) return undefined;
  if (isLast) return { span: { start: Math.max(0, lineStart - 1), end: source.length }, newText: "" };
  return { span: { start: lineStart, end: nextLineAt(source, item.span.end) }, newText: "" };
}

/** A fix that puts other patterns in the place of one. */
export function replacePatternFix(entry: PatternEntry, texts: readonly string[]): readonly QuickFix[] {
  const edit = entry.replace(texts);
  const title = texts.length > 3 ? `Write ${texts.length} patterns` : `Write ${texts.map(shortPattern).join(", ")}`;
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

/** A fix that takes one pattern out. */
export function removePatternFix(entry: PatternEntry): readonly QuickFix[] {
  const edit = entry.remove();
  return edit === undefined ? [] : [{ title: `Remove ${shortPattern(entry.text)}`, edits: [edit] }];
}

/** A pattern as messages show it. */
export function shortPattern(text: string): string {
  return shownWord(text, 60);
}
