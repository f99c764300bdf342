import type { TextEdit } from "../document/diagnostic.js";
import { endsLinesWithReturns, withReturns } from "../yaml/lineBreaks.js";
import { withPlainBreaks } from "../yaml/plainBreaks.js";
import { lineEdits } from "./lineDiff.js";

/** A text to work on: `readable` has plain line breaks, at the same offsets. */
export interface EditableText {
  readonly readable: string;
  /** The edits of the file's own text that make `newText` of `readable`. Lines that stay keep their breaks. */
  editsTo(newText: string): readonly TextEdit[];
}

/** Prepares a text whose lines PyYAML may end with more than line feeds for edits that know only these. */
export function editableText(text: string): EditableText {
  const readable = withPlainBreaks(text);
  const usesReturns = endsLinesWithReturns(text);
  return {
    readable,
    editsTo: (newText) =>
      lineEdits(readable, newText).map((edit) => ({
        ...edit,
        newText: usesReturns ? withReturns(edit.newText) : edit.newText,
      })),
  };
}

/** A text with edits made that are in text order and do not touch. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let out = "";
  for (const { span, newText } of edits) {
    out += text.slice(at, span.start) + newText;
    at = span.end;
  }
  return out + text.slice(at);
}
