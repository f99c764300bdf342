import type { ConfigNode, MappingEntry, MappingNode } from "../document/configNode.js";
import { lineEndAt, linesOfText } from "../yaml/lineBreaks.js";
import type { EntryNode, TreeItem } from "./entryTree.js";

/** A mapping in braces, written out as a block. */
export interface UnfoldedFlow {
  /** What stays on the key's line. */
  readonly head: string;
  /** The comments above the key, and behind them those between key and brace. */
  readonly above: readonly string[];
  readonly items: TreeItem[];
}

/**
 * Writes the mapping in braces behind a key as a block, entry by entry; comments between entries go above the entry that follows.
 * `undefined` for a value that is no such mapping, and where something else than plain entries stands in it (a merge key).
 */
export function unfoldFlow(text: string, node: EntryNode): UnfoldedFlow | undefined {
  const { source } = node;
  if (source === undefined || !isWrittenFlow(text, source.entry.value)) return undefined;
  const { value, keySpan } = source.entry;
  const between = text.slice(keySpan.end, value.span.start);
  const [head = "", ...comments] = cutComments(between);
  const behind = source.inFlow ? "" : text.slice(value.span.end, lineEndAt(text, value.span.end));
  const indent = node.indent + node.step;
  const items = unfoldEntries(text, value, indent, node.step);
  if (items === undefined || !/^\s*(?:#.*)?$/.test(behind)) return undefined;
  const valueLines = linesOfText(text.slice(keySpan.end, value.span.end)).length - 1;
  const trailing = source.inFlow ? [] : node.below.slice(valueLines);
  if (trailing.length > 0) items.push({ kind: "lines", lines: trailing, indent });
  return { head: head.trimEnd() + behind, above: [...node.above, ...indented(comments, node.indent)], items };
}

/** The same for a whole file in braces; lines before and behind the braces stay. */
export function unfoldRoot(text: string, root: ConfigNode): TreeItem[] | undefined {
  if (!isWrittenFlow(text, root)) return undefined;
  const items = unfoldEntries(text, root, 0, 2);
  if (items === undefined) return undefined;
  const around = [text.slice(0, root.span.start), text.slice(root.span.end)].map(
    (part): TreeItem => ({ kind: "lines", lines: linesOfText(part).filter((line) => line.trim() !== ""), indent: 0 }),
  );
  const [before, behind] = around;
  return [...(before === undefined ? [] : [before]), ...items, ...(behind === undefined ? [] : [behind])];
}

function isWrittenFlow(text: string, value: ConfigNode): value is MappingNode {
  if (value.kind !== "mapping" || !value.flow) return false;
  return text[value.span.start] === "{" && text[value.span.end - 1] === "}";
}

function unfoldEntries(text: string, mapping: MappingNode, indent: number, step: number): TreeItem[] | undefined {
  const items: EntryNode[] = [];
  let from = mapping.span.start + 1;
  for (const entry of mapping.entries) {
    if (entry.span.start < from) return undefined;
    const comments = commentsBetween(text.slice(from, entry.span.start), items.at(-1));
    const node = comments === undefined ? undefined : unfoldEntry(text, entry, indent, step, comments);
    if (node === undefined) return undefined;
    items.push(node);
    from = entry.span.end;
  }
  const rest = commentsBetween(text.slice(from, mapping.span.end - 1), items.at(-1));
  if (rest === undefined) return undefined;
  return rest.length === 0 ? items : [...items, { kind: "lines", lines: indented(rest, indent), indent }];
}

function unfoldEntry(
  text: string,
  entry: MappingEntry,
  indent: number,
  step: number,
  comments: readonly string[],
): EntryNode | undefined {
  const between = text.slice(entry.keySpan.end, entry.value.span.start);
  const isEmpty = entry.value.span.start === entry.value.span.end;
  if (!/^\s*(?::\s*(?:[&!]\S*\s+)*)?$/.test(between)) return undefined;
  const properties = between.replace(/^\s*:?\s*/, "");
  const written = isEmpty ? "" : properties + text.slice(entry.value.span.start, entry.value.span.end);
  // Texts in quotes that go over lines with U+2028 have no other way to be written.
  if (/[\u2028\u2029]/.test(written)) return undefined;
  const [first = "", ...rest] = linesOfText(written);
  return {
    kind: "entry",
    key: entry.key,
    keyText: text.slice(entry.keySpan.start, entry.keySpan.end),
    indent,
    blanks: [],
    above: indented(comments, indent),
    head: first === "" ? ":" : `: ${first}`,
    below: indented(
      rest.map((line) => line.trimStart()),
      indent + step,
    ),
    source: { entry, inFlow: true },
    step,
  };
}

/**
 * Comments in the text between two entries, for the lines above the second; one that follows `previous` on its line stays behind
 * it. `undefined` when more than commas and comments stands there.
 */
function commentsBetween(between: string, previous: EntryNode | undefined): readonly string[] | undefined {
  const [rest = "", ...comments] = cutComments(between);
  if (!/^[\s,]*$/.test(rest)) return undefined;
  const [first] = comments;
  const isBehind = /^[ \t,]*#/.test(between) && previous !== undefined && previous.below.length === 0;
  if (first === undefined || !isBehind) return comments;
  previous.head = `${previous.head} ${first}`;
  return comments.slice(1);
}

/** The text without its comments and their line breaks, and then each comment. */
function cutComments(text: string): readonly string[] {
  const comments: string[] = [];
  const rest = text.replace(/(^|\s)(#[^\r\n]*)/g, (_, before: string, comment: string) => {
    comments.push(comment.trimEnd());
    return before;
  });
  return [rest.replace(/[\r\n]+\s*/g, " "), ...comments];
}

function indented(lines: readonly string[], indent: number): readonly string[] {
  return lines.map((line) => (line === "" ? line : " ".repeat(indent) + line));
}
