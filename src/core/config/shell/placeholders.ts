import type { TextSpan } from "../document/diagnostic.js";
import { UNKNOWN_MARK } from "../hydra/value.js";

/** `<path>` where a word or a value stands, `{{ path }}`, and `...` or `…` as a whole value. No redirection of a shell looks like these. */
const ANYWHERE =
  /(?<=[=/"'[,])<[A-Za-z][^<>\n]{0,80}(?<! )>|(?<=\s)<[A-Za-z][^<>\n]{0,80}(?<! )>(?=[\s/"']|$)|\{\{-?[ \w.|()-]{1,80}-?\}\}|(?<=[=[,:"' \t])(?:\.{3}|\u2026)(?=[\],"'\s]|$)/gm;
/** What documentation writes besides: `True/False`, `N`, `XX`, `YOUR_PATH`. */
const IN_PROSE =
  /(?<==)(?:(?:[Tt]rue[/|][Ff]alse|[Ff]alse[/|][Tt]rue)|N|M|K|[Xx]{1,4}|YOUR_\w{1,60}|your_\w{1,60}|\w{1,60}_HERE)(?=[\s\\]|$)/gm;

/** Where a template leaves something to its reader, in text order. `isProse`: the text is documentation, which writes more freely. */
export function findPlaceholders(text: string, isProse: boolean): readonly TextSpan[] {
  const patterns = isProse ? [ANYWHERE, IN_PROSE] : [ANYWHERE];
  const found = patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({ start: index, end: index + length })),
  );
  return found.sort((left, right) => left.start - right.start);
}

/** The text with every placeholder as long a run of `UNKNOWN_MARK`: what stands there is known to the reader only. */
export function maskPlaceholders(text: string, isProse: boolean): string {
  return replaceSpans(text, findPlaceholders(text, isProse), (length) => UNKNOWN_MARK.repeat(length));
}

/** Every span replaced by a text of its length; spans that overlap an earlier one are left out. */
export function replaceSpans(
  text: string,
  spans: readonly TextSpan[],
  replacement: (length: number) => string,
): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at) continue;
    parts.push(text.slice(at, start), replacement(end - start));
    at = end;
  }
  return parts.join("") + text.slice(at);
}
