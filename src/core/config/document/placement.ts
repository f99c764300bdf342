import { nextLineAt } from "../yaml/lineBreaks.js";
import type { ConfigDocument } from "./configDocument.js";
import { asMapping, entryOf, type MappingEntry, type MappingNode } from "./configNode.js";
import type { TextEdit } from "./diagnostic.js";
import { indentationBefore, lineBreakOf, lineEndAfter } from "./edits.js";

/** Lines for one entry, written as if it stood at column 0. `inline` is its value where everything stands on one line. */
export interface EntryLines {
  /** Comment lines above the key. */
  readonly above: readonly string[];
  /** What follows the key on its line, from the colon on. */
  readonly head: string;
  /** Lines below the key, without line breaks. */
  readonly below: readonly string[];
  readonly inline?: string;
}

/** The lines of an entry with a scalar value. */
export function scalarLines(valueText: string): EntryLines {
  return { above: [], head: `: ${valueText}`, below: [], inline: valueText };
}

/**
 * The edit that puts an entry at `path`, with the blocks above it that are missing, behind what stands there already.
 * `undefined` when the place is taken or not safe to write to (an alias, a merged block, a scalar in the way).
 */
export function placeEntry(document: ConfigDocument, path: readonly string[], lines: EntryLines): TextEdit | undefined {
  const root = document.root;
  if (root?.kind !== "mapping") return undefined;
  let mapping: MappingNode = root;
  for (const [depth, segment] of path.entries()) {
    const entry = entryOf(mapping, segment);
    if (entry === undefined) return placeIn(document, mapping, path.slice(depth), lines);
    if (depth === path.length - 1 || !owns(mapping, entry)) return undefined;
    if (entry.value.kind !== "mapping")
      return isEmpty(entry) ? placeUnder(document, entry, path.slice(depth + 1), lines) : undefined;
    mapping = entry.value;
  }
  return undefined;
}

/** The last entry that stands in the mapping itself, not in one that it merges. */
export function lastOwnEntry(mapping: MappingNode): MappingEntry | undefined {
  return mapping.entries.findLast((entry) => owns(mapping, entry));
}

/** The offset behind the last line of a block mapping, comments that are indented like its members included. */
export function endOfBlock(text: string, last: MappingEntry, indentation: string): number {
  let end = lineEndAfter(text, last.span.end);
  for (;;) {
    const next = nextLineAt(text, end);
    if (next === text.length) return end;
    const lineEnd = lineEndAfter(text, next);
    const comment = /^( *)#/.exec(text.slice(next, lineEnd));
    if (comment === null || (comment[1] ?? "").length < Math.max(1, indentation.length)) return end;
    end = lineEnd;
  }
}

/** Blanks that one level of this document takes; 2 where nothing tells. */
export function indentationStep(document: ConfigDocument): string {
  for (const entry of asMapping(document.root)?.entries ?? []) {
    if (entry.value.kind !== "mapping" || entry.value.flow) continue;
    const first = entry.value.entries[0];
    const indentation = first === undefined ? undefined : indentationBefore(document.text, first.span.start);
    if (indentation !== undefined && indentation.length > 0 && indentation.length <= 8) return indentation;
  }
  return "  ";
}

function placeIn(
  document: ConfigDocument,
  mapping: MappingNode,
  path: readonly string[],
  lines: EntryLines,
): TextEdit | undefined {
  if (mapping.flow) return placeInFlow(document, mapping, path, lines);
  const last = lastOwnEntry(mapping);
  const indentation = last === undefined ? undefined : indentationBefore(document.text, last.span.start);
  if (last === undefined || indentation === undefined) return undefined;
  const at = endOfBlock(document.text, last, indentation);
  return insertLines(document, at, blockLines(path, lines, indentation, indentationStep(document)));
}

function placeInFlow(
  document: ConfigDocument,
  mapping: MappingNode,
  path: readonly string[],
  lines: EntryLines,
): TextEdit | undefined {
  if (lines.inline === undefined || lines.above.length > 0 || document.text[mapping.span.end - 1] !== "}")
    return undefined;
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  const value = rest.reduceRight((inner, key) => `{${key}: ${inner}}`, lines.inline);
  const last = lastOwnEntry(mapping);
  if (last === undefined && mapping.entries.length > 0) return undefined;
  const at = last === undefined ? mapping.span.start + 1 : last.span.end;
  return { span: { start: at, end: at }, newText: `${last === undefined ? "" : ", "}${first}: ${value}` };
}

/** Below a key without a value. */
function placeUnder(
  document: ConfigDocument,
  entry: MappingEntry,
  path: readonly string[],
  lines: EntryLines,
): TextEdit | undefined {
  const indentation = indentationBefore(document.text, entry.span.start);
  if (indentation === undefined) return undefined;
  const step = indentationStep(document);
  const at = lineEndAfter(document.text, entry.span.end);
  return insertLines(document, at, blockLines(path, lines, indentation + step, step));
}

function insertLines(document: ConfigDocument, at: number, lines: readonly string[]): TextEdit {
  const lineBreak = lineBreakOf(document.text);
  return { span: { start: at, end: at }, newText: lines.map((line) => lineBreak + line).join("") };
}

function blockLines(path: readonly string[], lines: EntryLines, indentation: string, step: string): readonly string[] {
  const parents = path.slice(0, -1).map((key, depth) => `${indentation}${step.repeat(depth)}${key}:`);
  const inner = indentation + step.repeat(path.length - 1);
  const own = [...lines.above, `${path.at(-1) ?? ""}${lines.head}`, ...lines.below];
  return [...parents, ...own.map((line) => (line === "" ? line : inner + line))];
}

function owns(mapping: MappingNode, entry: MappingEntry): boolean {
  return entry.span.start >= mapping.span.start && entry.span.end <= mapping.span.end;
}

function isEmpty(entry: MappingEntry): boolean {
  const { value } = entry;
  return value.kind === "scalar" && value.value.type === "null" && value.span.start === value.span.end;
}
