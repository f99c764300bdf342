import type { MappingEntry, MappingNode } from "../document/configNode.js";
import type { TextEdit } from "../document/diagnostic.js";
import { indentationBefore, linesOf, removeEntry } from "../document/edits.js";

/**
 * Takes an entry out of force: its lines become comments, so that they can be put back; in a flow mapping, and where a block would
 * be left without an entry, it is removed. `undefined` when it shares its line with something else, or a merge key brought it in.
 */
export function commentOut(text: string, mapping: MappingNode, entry: MappingEntry): TextEdit | undefined {
  const isWithin = entry.span.start >= mapping.span.start && entry.span.end <= mapping.span.end;
  if (mapping.flow || mapping.entries.length === 1 || !isWithin) return removeEntry(text, mapping, entry, false);
  const span = linesOf(text, entry.span, false);
  if (span === undefined) return undefined;
  const indentation = indentationBefore(text, entry.span.start) ?? "";
  return { span, newText: commentedLines(text.slice(span.start, span.end), indentation) };
}

/** Every line of a text as a comment, blank ones aside; the line breaks stay. */
export function commentedLines(text: string, indentation: string): string {
  return text.replaceAll(/[^\n\r\x85\u2028\u2029]+/g, (line) => asComment(line, indentation));
}

function asComment(line: string, indentation: string): string {
  if (/^\s*$/.test(line)) return line;
  return line.startsWith(indentation) ? `${indentation}# ${line.slice(indentation.length)}` : `# ${line}`;
}
