import { endsLine, hasLineBreak, linesOfText, nextLineAt } from "../yaml/lineBreaks.js";
import type { ConfigDocument } from "./configDocument.js";
import { entryOf, type MappingEntry, type MappingNode, nodeAt } from "./configNode.js";
import type { TextEdit, TextSpan } from "./diagnostic.js";
import { indentationBefore, lineBreakOf, lineEndAfter, linesOf, removeEntry } from "./edits.js";
import { type EntryLines, endOfBlock, lastOwnEntry, placeEntry } from "./placement.js";

/** An entry with the entries above it, outermost first; each with the mapping that holds it. */
type Chain = readonly { readonly container: MappingNode; readonly entry: MappingEntry }[];

/**
 * The edits that move an entry, with its comments, from one path to another; blocks that it leaves empty go away, blocks that it
 * needs are added. A block whose new place holds a block already is merged into it if they have no key in common. `undefined`
 * when that is not safe: anchors and aliases in it, a taken place, a shared line.
 */
export function moveEntry(
  document: ConfigDocument,
  from: readonly string[],
  to: readonly string[],
): readonly TextEdit[] | undefined {
  const chain = chainOf(document, from);
  const moved = chain?.at(-1);
  if (chain === undefined || moved === undefined || holdsAnchors(document.text, moved.entry.span)) return undefined;
  const emptied = emptiedChain(chain, from, to);
  const gone = emptied[0];
  if (gone === undefined) return undefined;
  const removal = removalOf(document.text, gone, gone === moved);
  const lines = removal === undefined ? undefined : linesFor(document, emptied, removal.span);
  if (removal === undefined || lines === undefined) return undefined;
  const placed = placeEntry(document, to, lines) ?? mergeInto(document, moved.entry, to);
  return placed === undefined ? undefined : joined(document.text, removal, placed);
}

function chainOf(document: ConfigDocument, path: readonly string[]): Chain | undefined {
  const chain: { container: MappingNode; entry: MappingEntry }[] = [];
  let node = document.root;
  for (const key of path) {
    if (node?.kind !== "mapping") return undefined;
    const entry = entryOf(node, key);
    if (entry === undefined) return undefined;
    chain.push({ container: node, entry });
    node = entry.value;
  }
  return chain;
}

/** The moved entry, and above it those blocks that would be empty without it and that the new place does not need. */
function emptiedChain(chain: Chain, from: readonly string[], to: readonly string[]): Chain {
  let first = chain.length - 1;
  while (first > 0) {
    const isAlone = chain[first]?.container.entries.length === 1;
    const isNeeded = from.slice(0, first).every((key, depth) => to[depth] === key);
    if (!isAlone || isNeeded) break;
    first--;
  }
  return chain.slice(first);
}

function holdsAnchors(text: string, span: TextSpan): boolean {
  return /(?:^|[\s[{,:-])[&*][^\s,\]}]/.test(text.slice(span.start, span.end));
}

/** All lines of an entry with the comments that belong to it: right above, and below it where they are indented deeper. */
function removalOf(text: string, gone: Chain[number], withComments: boolean): TextEdit | undefined {
  if (gone.container.flow) return removeEntry(text, gone.container, gone.entry, false);
  const indentation = indentationBefore(text, gone.entry.span.start);
  const lines = linesOf(text, gone.entry.span, withComments);
  if (lines === undefined || indentation === undefined) return undefined;
  const end = nextLineAt(text, endOfBlock(text, gone.entry, `${indentation} `));
  return { span: { start: lines.start, end }, newText: "" };
}

function linesFor(document: ConfigDocument, emptied: Chain, removed: TextSpan): EntryLines | undefined {
  const moved = emptied.at(-1);
  if (moved === undefined) return undefined;
  const { text } = document;
  const value = text.slice(moved.entry.value.span.start, moved.entry.value.span.end);
  const inline = hasLineBreak(value) || !isInline(moved.entry) ? undefined : value;
  if (moved.container.flow) {
    return inline === undefined ? undefined : { above: [], head: `: ${inline}`, below: [], inline };
  }
  const indentation = indentationBefore(text, moved.entry.span.start);
  const own = linesOf(text, moved.entry.span, true);
  if (indentation === undefined || own === undefined) return undefined;
  const keyLine = moved.entry.span.start - indentation.length;
  const above = [
    ...emptied.slice(0, -1).flatMap(({ entry }) => trailingComment(text, entry.keySpan.end)),
    ...splitLines(text.slice(own.start, keyLine)).map((line) => line.trim()),
  ];
  const [head = "", ...rest] = splitLines(text.slice(moved.entry.keySpan.end, removed.end));
  const below = rest.map((line) => shiftLeft(line, indentation.length));
  const isBare = above.length === 0 && below.length === 0 && !/\s#/.test(head);
  return { above, head, below, ...(inline === undefined || !isBare ? {} : { inline }) };
}

function isInline(entry: MappingEntry): boolean {
  const { value } = entry;
  if (value.kind === "scalar") return value.style !== "block" && value.span.start !== value.span.end;
  return value.kind !== "alias" && value.flow;
}

/** A comment behind a key that is about to go. */
function trailingComment(text: string, keyEnd: number): readonly string[] {
  const rest = text.slice(keyEnd, lineEndAfter(text, keyEnd));
  const comment = /\s(#.*)$/.exec(rest)?.[1];
  return comment === undefined ? [] : [comment.trimEnd()];
}

/** The members of the moved block, behind those of the block that stands at its new place. */
function mergeInto(document: ConfigDocument, moved: MappingEntry, to: readonly string[]): TextEdit | undefined {
  const target = nodeAt(document.root, to);
  const source = moved.value;
  if (target?.kind !== "mapping" || source.kind !== "mapping" || target.flow || source.flow) return undefined;
  if (source.entries.some((entry) => entryOf(target, entry.key) !== undefined)) return undefined;
  const { text } = document;
  const last = lastOwnEntry(target);
  const first = source.entries[0];
  const indentation = last === undefined ? undefined : indentationBefore(text, last.span.start);
  const ownIndentation = first === undefined ? undefined : indentationBefore(text, first.span.start);
  if (last === undefined || first === undefined || indentation === undefined || ownIndentation === undefined)
    return undefined;
  const start = lineEndAfter(text, moved.keySpan.end);
  const lines = splitLines(text.slice(start, endOfBlock(text, moved, ownIndentation))).slice(1);
  const newText = lines.map((line) => `${lineBreakOf(text)}${indentation}${shiftLeft(line, ownIndentation.length)}`);
  const at = endOfBlock(text, last, indentation);
  return { span: { start: at, end: at }, newText: newText.join("") };
}

/** Two edits, or one where the new place lies inside what goes away. */
function joined(text: string, removal: TextEdit, placed: TextEdit): readonly TextEdit[] | undefined {
  const { span } = removal;
  const at = placed.span.start;
  if (at < span.start || at > span.end) return [removal, placed];
  const lineBreak = lineBreakOf(text);
  if (!placed.newText.startsWith(lineBreak)) return undefined;
  const lines = placed.newText.slice(lineBreak.length);
  const isWholeLine = endsLine(text[span.end - 1] ?? "");
  return [{ span, newText: isWholeLine ? lines + lineBreak : lines }];
}

/** Lines without their breaks; what stands behind the last break is none. */
function splitLines(text: string): readonly string[] {
  const lines = linesOfText(text);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shiftLeft(line: string, columns: number): string {
  let cut = 0;
  while (cut < columns && line[cut] === " ") cut++;
  return line.slice(cut);
}
