import type { KeyDoc } from "./keyDoc.js";
import { keyDetail, keyMarkdown } from "./keyText.js";
import type { LineContext } from "./lineContext.js";
import { asyncSnippet } from "./offloadSnippet.js";
import type { ConfigOutline } from "./outline.js";
import { isPatternKey, keysAt } from "./outline.js";
import { siblingKeys } from "./siblingKeys.js";
import { type KeyPosition, rank, type Suggestion, snippetChoice, snippetText } from "./suggestion.js";
import { lineAround, skipBlanks } from "./textLine.js";

/**
 * Keys that may stand at a place and do not yet, each with a value to fill in; keys that are gone or belong elsewhere are not
 * offered. On a blank line that is indented too far, the suggestion moves to its siblings' column.
 */
export function completeKeys(
  text: string,
  offset: number,
  context: LineContext,
  outline: ConfigOutline,
): readonly Suggestion[] {
  const place = keysAt(outline, context.path);
  if (place === undefined) return [];
  const present = context.flow ? new Set(context.flowSiblings) : siblingKeys(text, offset, context.column);
  const position = positionOf(text, offset, context);
  const offered = place.docs.filter((doc) => !doc.removed && !present.has(doc.name));
  return [
    ...(context.hasColon || context.flow ? [] : asyncSnippet(place, present, position)),
    ...offered.map((doc, at) => keySuggestion(doc, at, context, position, isForTrainer(doc, outline))),
  ];
}

function positionOf(text: string, offset: number, context: LineContext): KeyPosition {
  const line = lineAround(text, offset);
  const copied = skipBlanks(text, line.start, line.end) - line.start;
  const isBlank = line.start + copied === line.end;
  if (isBlank && context.column !== offset - line.start) {
    const lead = " ".repeat(context.column);
    return { span: { start: line.start, end: offset }, lead, below: lead };
  }
  return { span: context.span, lead: "", below: " ".repeat(Math.max(0, context.column - copied)) };
}

function keySuggestion(
  doc: KeyDoc,
  at: number,
  context: LineContext,
  position: KeyPosition,
  forTrainer: boolean,
): Suggestion {
  const key = position.lead + snippetText(doc.name);
  const value = valueSnippet(doc, context.flow).replaceAll("\n", `\n${position.below}`);
  const insertText = context.hasColon ? key : `${key}:${value}`;
  return {
    label: doc.name,
    kind: "key",
    span: position.span,
    insertText,
    isSnippet: true,
    filterText: position.lead + doc.name,
    sortText: rank(doc.required ? 1 : forTrainer && !doc.inert ? 2 : 3, at),
    detail: keyDetail(doc),
    documentation: keyMarkdown(doc),
  };
}

/** What follows the colon, with tab stops. Lines below are indented relative to the key's line. */
export function valueSnippet(doc: KeyDoc, flow: boolean): string {
  if (doc.shape === "block") return flow ? " {$1}" : "\n  $0";
  if (doc.shape === "list") return flow ? " [$1]" : listSnippet(doc);
  if (doc.shape === "bool") {
    const other = doc.defaultText === "true" ? ["false", "true"] : ["true", "false"];
    return ` ${snippetChoice(1, other)}`;
  }
  if (doc.allowed !== undefined && doc.allowed.values.length > 1) {
    const values = [...doc.allowed.values];
    const first = values.indexOf(doc.defaultText ?? "");
    if (first > 0) values.unshift(...values.splice(first, 1));
    return ` ${snippetChoice(1, values)}`;
  }
  const value = doc.defaultText ?? doc.allowed?.values[0];
  return value === undefined || value === "null" ? " $1" : ` \${1:${snippetText(value)}}`;
}

function listSnippet(doc: KeyDoc): string {
  if (isPatternKey(doc.name)) return `\n  - \${1:${snippetText("model.layers.{*}")}}`;
  if (doc.defaultText?.startsWith("[") && doc.defaultText !== "[]") return ` \${1:${snippetText(doc.defaultText)}}`;
  return "\n  - $1";
}

function isForTrainer(doc: KeyDoc, outline: ConfigOutline): boolean {
  if (doc.onlyFor.length === 0 || outline.dialect === "verl") return true;
  return outline.trainers.some((trainer) => doc.onlyFor.includes(trainer));
}
