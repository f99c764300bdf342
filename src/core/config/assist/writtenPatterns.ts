import type { ConfigDocument } from "../document/configDocument.js";
import { type ConfigNode, isDeferred, textOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { intendedText, readRawList } from "../document/rawList.js";
import { unquotedPatterns } from "../patterns/patternList.js";

/** One module pattern as a file writes it; the span holds its quotes. */
export interface PatternEntry {
  readonly span: TextSpan;
  readonly text: string;
}

const maxEntries = 2_000;

/**
 * The entries of a pattern list with their places, broken ones as their authors meant them. Empty for values that are no list
 * in this file: the framework takes a text apart into characters, so it is no pattern.
 */
export function patternEntries(document: ConfigDocument, list: ConfigNode): readonly PatternEntry[] {
  if (list.kind !== "sequence") return [];
  const broken = unquotedPatterns(document, list);
  if (list.flow && broken.length > 0) {
    const raw = readRawList(document.text, list.span.start)?.entries ?? [];
    return raw.slice(0, maxEntries).map((entry) => ({ span: entry.span, text: intendedText(entry) }));
  }
  const brokenByStart = new Map(broken.map((pattern) => [pattern.span.start, pattern]));
  return list.items.slice(0, maxEntries).flatMap((item) => {
    const meant = brokenByStart.get(item.span.start);
    if (meant !== undefined) return [{ span: meant.span, text: meant.text }];
    const text = item.kind === "scalar" && !isDeferred(item) ? textOf(item) : undefined;
    return text === undefined ? [] : [{ span: item.span, text }];
  });
}
