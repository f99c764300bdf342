import { lineEndAt, lineStartAt, nextLineAt } from "../yaml/lineBreaks.js";
import type { MappingEntry, MappingNode } from "./configNode.js";
import type { QuickFix, TextEdit, TextSpan } from "./diagnostic.js";
import { followsVerlFormat } from "./verlFormat.js";

/** A fix of one edit. */
export function replaceFix(title: string, span: TextSpan, newText: string): QuickFix {
  return { title, edits: [{ span, newText }] };
}

/** How entries are changed in a text that is no YAML: overrides of a script. `undefined` where that is not safe. */
export interface EntryWriter {
  remove(entry: MappingEntry): TextEdit | undefined;
  set(entry: MappingEntry, valueText: string): TextEdit | undefined;
  /** Writes an entry under another dotted path. */
  move(entry: MappingEntry, path: string): TextEdit | undefined;
}

/** Where an edit happens; files of verl's own tree follow its format (`followsVerlFormat`). */
export interface EditedFile {
  readonly path: string;
  readonly document: { readonly text: string };
  /** Absent for YAML. */
  readonly writer?: EntryWriter;
}

/** A fix that takes one entry out, as far as that is possible. */
export function removeFix(
  title: string,
  file: EditedFile,
  mapping: MappingNode,
  entry: MappingEntry,
): readonly QuickFix[] {
  const edit = file.writer
    ? file.writer.remove(entry)
    : removeEntry(file.document.text, mapping, entry, followsVerlFormat(file.path));
  if (edit === undefined || (file.writer === undefined && isNamedElsewhere(file.document.text, entry))) return [];
  return [{ title, edits: [edit] }];
}

/** True when an anchor in the entry has an alias outside of it, which would point nowhere without the entry. */
function isNamedElsewhere(text: string, { span, keySpan }: MappingEntry): boolean {
  const gone = text.slice(keySpan.start, span.end);
  const names = [...gone.matchAll(/&([\w-]+)/g)].map(([, name]) => name);
  if (names.length === 0) return false;
  const rest = text.slice(0, span.start) + text.slice(span.end);
  return names.some((name) => new RegExp(`\\*${name}(?![\\w-])`).test(rest));
}

/**
 * Removes an entry: whole lines in a block mapping (`{}` takes the place of the only one), one item with its comma in a flow mapping. `commented` takes the comment
 * lines above with it. `undefined` when the entry shares its line with something else (`- a: 1`), or when a merge key brought
 * it in from elsewhere.
 */
export function removeEntry(
  text: string,
  mapping: MappingNode,
  entry: MappingEntry,
  commented: boolean,
): TextEdit | undefined {
  if (!isWithin(entry.span, mapping.span)) return undefined;
  if (mapping.flow) return removeFromFlow(mapping, entry);
  const span = linesOf(text, entry.span, commented);
  if (span === undefined) return undefined;
  return (mapping.entries.length === 1 ? emptied(text, span) : undefined) ?? { span, newText: "" };
}

/** Without its only entry a block would be null, which no dataclass is built from; an empty mapping stays one. */
function emptied(text: string, span: TextSpan): TextEdit | undefined {
  const colon = /:[ \t]*(?:\r\n|[\n\r\x85\u2028\u2029])$/.exec(text.slice(Math.max(0, span.start - 100), span.start));
  if (colon === null) return undefined;
  const lineBreak = breakAtEnd(text.slice(span.start, span.end));
  return { span: { start: span.start - colon[0].length + 1, end: span.end }, newText: ` {}${lineBreak}` };
}

/** Puts new entries in the place of one. Same limits as `removeEntry`; one edit, as edits of one fix must not touch. */
export function replaceEntry(
  text: string,
  mapping: MappingNode,
  entry: MappingEntry,
  added: readonly NewEntry[],
  commented: boolean,
): TextEdit | undefined {
  if (!isWithin(entry.span, mapping.span)) return undefined;
  if (mapping.flow) {
    return { span: entry.span, newText: added.map((each) => `${each.key}: ${each.valueText}`).join(", ") };
  }
  const span = linesOf(text, entry.span, commented);
  if (span === undefined) return undefined;
  const indentation = indentationBefore(text, entry.span.start) ?? "";
  const lines = added.flatMap((each) => entryLines(each, commented, indentation)).slice(commented ? 1 : 0);
  const lineBreak = lineBreakOf(text);
  const last = breakAtEnd(text.slice(span.start, span.end)) === "" ? "" : lineBreak;
  return { span, newText: lines.join(lineBreak) + last };
}

/** Replaces the value of an entry; an empty value gets a space before it. */
export function setValue(text: string, entry: MappingEntry, valueText: string): TextEdit {
  const span = entry.value.span;
  if (span.start !== span.end) return { span, newText: valueText };
  const colon = text.indexOf(":", entry.keySpan.end);
  const after = colon < 0 ? entry.keySpan.end : colon + 1;
  return { span: { start: after, end: after }, newText: ` ${valueText}` };
}

/** A key with its value in YAML, and the comment that verl's own files want above it. */
export interface NewEntry {
  readonly key: string;
  readonly valueText: string;
  readonly comment: string;
}

/**
 * Adds entries behind `anchor`, in the style of the mapping. `commented` follows the format that verl's repository demands: a
 * comment above each field, a blank line between fields. `undefined` when there is no safe place.
 */
export function addEntriesAfter(
  text: string,
  mapping: MappingNode,
  anchor: MappingEntry,
  added: readonly NewEntry[],
  commented: boolean,
): TextEdit | undefined {
  if (!isWithin(anchor.span, mapping.span)) return undefined;
  if (mapping.flow) {
    const newText = added.map((entry) => `, ${entry.key}: ${entry.valueText}`).join("");
    return { span: { start: anchor.span.end, end: anchor.span.end }, newText };
  }
  const indentation = indentationBefore(text, anchor.span.start);
  if (indentation === undefined) return undefined;
  const at = lineEndAfter(text, anchor.span.end);
  const lineBreak = lineBreakOf(text);
  const lines = added.flatMap((entry) => entryLines(entry, commented, indentation));
  return { span: { start: at, end: at }, newText: lines.map((line) => `${lineBreak}${line}`).join("") };
}

function entryLines(entry: NewEntry, commented: boolean, indentation: string): string[] {
  const line = `${indentation}${entry.key}: ${entry.valueText}`;
  return commented ? ["", `${indentation}# ${entry.comment}`, line] : [line];
}

/** Offset of the line break that ends the line of `offset`, or the end of the text. */
export function lineEndAfter(text: string, offset: number): number {
  return lineEndAt(text, offset);
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The blank space between the start of the line and `offset`; `undefined` when something else stands there. */
export function indentationBefore(text: string, offset: number): string | undefined {
  const before = text.slice(lineStartAt(text, offset), offset).replace(/^\uFEFF/, "");
  return /^ *$/.test(before) ? before : undefined;
}

/** The lines of an entry with their last line break, and the comment lines right above if asked. */
export function linesOf(text: string, span: TextSpan, withComments: boolean): TextSpan | undefined {
  const indentation = indentationBefore(text, span.start);
  if (indentation === undefined) return undefined;
  const start = span.start - indentation.length;
  return {
    start: withComments ? startOfComments(text, start) : start,
    end: nextLineAt(text, span.end),
  };
}

function startOfComments(text: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const previous = lineStartAt(text, start - 1);
    if (!/^[ \t]*#/.test(text.slice(previous, start))) return start;
    start = previous;
  }
  return start;
}

/** The line break that a text ends with, or nothing. */
function breakAtEnd(text: string): string {
  return /(?:\r\n|[\n\r\x85\u2028\u2029])$/.exec(text)?.[0] ?? "";
}

function removeFromFlow(mapping: MappingNode, entry: MappingEntry): TextEdit {
  const index = mapping.entries.indexOf(entry);
  const next = mapping.entries[index + 1];
  const previous = mapping.entries[index - 1];
  if (next !== undefined) return { span: { start: entry.span.start, end: next.span.start }, newText: "" };
  const start = previous === undefined ? entry.span.start : previous.span.end;
  return { span: { start, end: entry.span.end }, newText: "" };
}

function isWithin(inner: TextSpan, outer: TextSpan): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
