import type { TextSpan } from "../document/diagnostic.js";

/** One row of a completion list. */
export interface Suggestion {
  readonly label: string;
  readonly kind: "key" | "value" | "pattern" | "module" | "class" | "snippet";
  /** Replaced by `insertText`; on one line, and the cursor is in it or at its end. */
  readonly span: TextSpan;
  readonly insertText: string;
  /** `insertText` holds tab stops: `$1`, `${1:default}`, `${1|a,b|}`. */
  readonly isSnippet: boolean;
  /** What is compared with the text in `span`; absent: the label. */
  readonly filterText?: string;
  /** Rows are shown in the order of this text, then of the label. */
  readonly sortText: string;
  /** A few words beside the label. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  readonly preselect?: boolean;
}

/** A text as a part of a snippet: nothing in it is a tab stop. */
export function snippetText(text: string): string {
  return text.replace(/[\\$}]/g, (letter) => `\\${letter}`);
}

/** A tab stop with a choice. */
export function snippetChoice(stop: number, values: readonly string[]): string {
  const choices = values.map((value) => value.replace(/[\\,|$}]/g, (letter) => `\\${letter}`));
  return `\${${stop}|${choices.join(",")}|}`;
}

/** Zero-padded, so that texts sort as numbers do. */
export function rank(group: number, place = 0): string {
  return `${group}${String(place).padStart(5, "0")}`;
}

/** Where a key goes: the replaced span and the blanks that have to precede it. */
export interface KeyPosition {
  readonly span: TextSpan;
  /** Blanks to write in front, when the line's own are replaced. */
  readonly lead: string;
  /** Blanks to write in front of further lines, beyond those that the editor copies from the first line. */
  readonly below: string;
}
