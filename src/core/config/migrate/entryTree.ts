import type { ConfigDocument } from "../document/configDocument.js";
import type { MappingEntry, MappingNode } from "../document/configNode.js";
import { indentationBefore } from "../document/edits.js";
import { lineStartAt } from "../yaml/lineBreaks.js";
import { indentOf, isBlankLine, isCommentLine, shiftLine, TextLines } from "./textLines.js";

/** What a block holds, in text order. */
export type TreeItem = EntryNode | FreeLines;

/**
 * One entry with the lines that belong to it, so that it can stand elsewhere: comments right above, and comments below that are
 * indented deeper than its key. Lines are kept as written, with the indentation that the key had.
 */
export interface EntryNode {
  readonly kind: "entry";
  key: string;
  /** The key as written, quotes included. */
  keyText: string;
  readonly indent: number;
  /** Blank lines above the comments. */
  blanks: readonly string[];
  /** Comment lines right above the key. */
  above: readonly string[];
  /** What follows the key on its line, from the colon on. */
  head: string;
  /** Lines of the value behind the key's line; of a block, its `items` say more. */
  below: readonly string[];
  /** The entry in the parsed file; absent for blocks that were added. `inFlow`: it stands in braces with others. */
  readonly source?: { readonly entry: MappingEntry; readonly inFlow: boolean };
  /** Members of a block mapping that is written by lines. */
  items?: TreeItem[];
  /** Blanks by which members are indented. */
  step: number;
}

/** Lines between entries that stay where they are: comments with a blank line below them, merge keys, document markers. */
export interface FreeLines {
  readonly kind: "lines";
  readonly lines: readonly string[];
  readonly indent: number;
}

/** A file as a tree of entries. */
export interface EntryTree {
  readonly items: TreeItem[];
  readonly lines: TextLines;
  /** Blanks before the top-level keys. */
  readonly indent: number;
  /** Blanks that one level of this file takes. */
  readonly step: number;
}

/** Cuts a parsed file into entries; `undefined` when its top level is no block of plain keys. */
export function entryTree(document: ConfigDocument): EntryTree | undefined {
  if (document.root?.kind !== "mapping" || document.root.flow) return undefined;
  const lines = new TextLines(document.text);
  const builder = new TreeBuilder(document.text, lines);
  const items = builder.block(document.root, 0, lines.lines.length);
  if (items === undefined) return undefined;
  return { items, lines, indent: entriesOf(items)[0]?.indent ?? 0, step: usualStep(items) };
}

/** The file's text from its tree. */
export function writeTree(tree: EntryTree): string {
  const out: string[] = [];
  writeItems(tree.items, tree.indent, out);
  return tree.lines.join(out);
}

/** The lines of one item as it stands at `indent`. */
export function linesOfItem(item: TreeItem, indent: number): readonly string[] {
  const out: string[] = [];
  writeItems([item], indent, out);
  return out;
}

/** The entries of a block, without the lines between them. */
export function entriesOf(items: readonly TreeItem[]): readonly EntryNode[] {
  return items.filter((item) => item.kind === "entry");
}

function writeItems(items: readonly TreeItem[], indent: number, out: string[]): void {
  for (const item of items) {
    const shift = (line: string) => shiftLine(line, indent - item.indent);
    if (item.kind === "lines") {
      for (const line of item.lines) out.push(shift(line));
      continue;
    }
    for (const blank of item.blanks) out.push(blank);
    for (const line of item.above) out.push(shift(line));
    out.push(`${" ".repeat(indent)}${item.keyText}${item.head}`);
    for (const line of item.below) out.push(shift(line));
    if (item.items !== undefined) writeItems(item.items, indent + item.step, out);
  }
}

function usualStep(items: readonly TreeItem[]): number {
  const first = entriesOf(items).find((entry) => entry.items !== undefined && entriesOf(entry.items).length > 0);
  return first === undefined ? 2 : first.step;
}

class TreeBuilder {
  constructor(
    private readonly text: string,
    private readonly lines: TextLines,
  ) {}

  /** The items on the lines from `from` to `to`; `undefined` when a key does not start its line, or does not end on it. */
  block(mapping: MappingNode, from: number, to: number): TreeItem[] | undefined {
    const own = mapping.entries.filter((entry) => isWithin(entry, mapping));
    const items: TreeItem[] = [];
    let next = from;
    for (const [index, entry] of own.entries()) {
      const column = indentationBefore(this.text, entry.keySpan.start)?.length;
      const keyLine = this.lines.lineAt(entry.keySpan.start);
      if (column === undefined || keyLine < next || column !== (items.at(-1)?.indent ?? column)) return undefined;
      if (keyLine !== this.lines.lineAt(entry.keySpan.end)) return undefined;
      const gap = this.#gap(next, keyLine);
      if (gap.free.length > 0) items.push({ kind: "lines", lines: gap.free, indent: column });
      const contentEnd = this.#lineBehind(entry);
      const following = own[index + 1];
      const limit = following === undefined ? to : this.lines.lineAt(following.keySpan.start);
      next = this.#endOfTrailing(contentEnd, limit, column, entry);
      items.push({ ...this.#entry(entry, column, keyLine, next), blanks: gap.blanks, above: gap.above });
    }
    const rest = this.lines.lines.slice(next, to);
    const column = items.at(-1)?.indent ?? 0;
    if (rest.length > 0) items.push({ kind: "lines", lines: rest, indent: column });
    return items;
  }

  #entry(entry: MappingEntry, column: number, keyLine: number, end: number): EntryNode {
    const { value } = entry;
    const lineStart = lineStartAt(this.text, entry.keySpan.start);
    const head = this.lines.lines[keyLine]?.slice(entry.keySpan.end - lineStart) ?? "";
    const items = value.kind === "mapping" && !value.flow ? this.block(value, keyLine + 1, end) : undefined;
    const firstColumn = items === undefined ? undefined : entriesOf(items)[0]?.indent;
    return {
      kind: "entry",
      key: entry.key,
      keyText: this.text.slice(entry.keySpan.start, entry.keySpan.end),
      indent: column,
      blanks: [],
      above: [],
      head,
      below: items === undefined ? this.lines.lines.slice(keyLine + 1, end) : [],
      source: { entry, inFlow: false },
      ...(items === undefined ? {} : { items }),
      step: firstColumn === undefined ? 2 : firstColumn - column,
    };
  }

  #lineBehind(entry: MappingEntry): number {
    return this.lines.lineAt(Math.max(entry.keySpan.end - 1, entry.span.end - 1)) + 1;
  }

  /** Behind the comments below an entry that are indented deeper than it, or that go on with its list. */
  #endOfTrailing(from: number, limit: number, column: number, entry: MappingEntry): number {
    const isList = entry.value.kind === "sequence" && !entry.value.flow;
    let end = from;
    for (let index = from; index < limit; index++) {
      const line = this.lines.lines[index] ?? "";
      if (isBlankLine(line)) continue;
      const belongs = indentOf(line) > column || (isList && indentOf(line) === column && /^ *# *- /.test(line));
      if (!isCommentLine(line) || !belongs) break;
      end = index + 1;
    }
    return end;
  }

  /** Lines between two entries: what stays, and what goes with the second one. */
  #gap(from: number, to: number): Pick<EntryNode, "blanks" | "above"> & { readonly free: readonly string[] } {
    const gap = this.lines.lines.slice(from, to);
    const aboveStart = gap.findLastIndex((line) => !isCommentLine(line)) + 1;
    const blanksStart = gap.slice(0, aboveStart).findLastIndex((line) => !isBlankLine(line)) + 1;
    return {
      free: gap.slice(0, blanksStart),
      blanks: gap.slice(blanksStart, aboveStart),
      above: gap.slice(aboveStart),
    };
  }
}

function isWithin(entry: MappingEntry, mapping: MappingNode): boolean {
  return entry.span.start >= mapping.span.start && entry.span.end <= mapping.span.end;
}
