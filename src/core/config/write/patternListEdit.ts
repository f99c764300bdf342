import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { patternEntries } from "../assist/writtenPatterns.js";
import type { ConfigDocument } from "../document/configDocument.js";
import {
  asMapping,
  type ConfigNode,
  entryOf,
  type MappingEntry,
  type MappingNode,
  nodeAt,
} from "../document/configNode.js";
import type { TextEdit, TextSpan } from "../document/diagnostic.js";
import { addEntriesAfter, indentationBefore, lineBreakOf, setValue } from "../document/edits.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { quoteText } from "../document/rawList.js";
import { followsVerlFormat } from "../document/verlFormat.js";
import { overrideListEdit } from "../overrides/overrideListEdit.js";
import { documentOf, type ReadConfig } from "../readConfig.js";
import { hasLineBreak, lineEndAt, lineStartAt, nextLineAt } from "../yaml/lineBreaks.js";

const modulesKey = "activation_offload_modules";
const switchKeys = ["enable_async_activation_offload", "enable_async_activation"];

/**
 * The edit that makes the pattern list of an engine block hold exactly `patterns`, in this order. What stays is not touched:
 * entries that are in both lists keep their place, quotes and comments, a replaced one keeps the comment behind it. A value that is
 * no list becomes one; an absent key is added to its block. In scripts the override is written (`overrideListEdit`).
 * Fails with `PATTERN_LIST_EMPTY` for no patterns (the framework would choose modules itself) and `PATTERN_LIST_NO_PLACE`.
 */
export function patternListEdit(
  { path, text, yaml, commands }: ReadConfig,
  settings: OffloadSettings,
  patterns: readonly string[],
): Outcome<TextEdit> {
  if (patterns.length === 0) return fail(emptyList);
  if (commands !== undefined) return overrideListEdit(commands, settings, patterns);
  if (yaml === undefined) return fail(noPlace(settings.blockPath));
  const document = documentOf(yaml);
  const entry = settings.modulesKeySpan === undefined ? undefined : entryAt(document.root, settings.modulesKeySpan);
  if (entry === undefined) return addKey(path, document, settings, patterns);
  const list = entry.value;
  const written = patternEntries(document, list);
  const isPlainList = list.kind === "sequence" && written.length > 0 && written.length === list.items.length;
  const style = !isPlainList ? undefined : list.flow ? flowStyle(text) : blockStyle(text, list.items);
  if (style === undefined) return succeed(setValue(text, entry, flowList(patterns)));
  return succeed(asOneEdit(text, changes(written, patterns, style)));
}

const emptyList = {
  code: "PATTERN_LIST_EMPTY",
  message: "No module is ticked.",
  cause: "An empty list means the automatic mode: the framework would take the model's own layer classes.",
  nextStep: "Tick modules, or switch the offload off in the configuration.",
};

/** The entry whose key stands exactly there. */
function entryAt(node: ConfigNode | undefined, keySpan: TextSpan): MappingEntry | undefined {
  const stack: ConfigNode[] = node === undefined ? [] : [node];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current.kind === "sequence") for (const item of current.items) stack.push(item);
    if (current.kind !== "mapping") continue;
    for (const entry of current.entries) {
      if (entry.keySpan.start === keySpan.start && entry.keySpan.end === keySpan.end) return entry;
      const covers = entry.value.span.start <= keySpan.start && keySpan.end <= entry.value.span.end;
      if (covers) stack.push(entry.value);
    }
  }
  return undefined;
}

function addKey(
  path: string,
  document: ConfigDocument,
  settings: OffloadSettings,
  patterns: readonly string[],
): Outcome<TextEdit> {
  const { blockPath } = settings;
  const block = asMapping(blockPath === "" ? document.root : nodeAt(document.root, blockPath.split(".")));
  const anchor = block === undefined ? undefined : anchorIn(block);
  if (block === undefined || anchor === undefined) return fail(noPlace(blockPath));
  const comment = "Modules whose saved tensors move to the host.";
  const added = { key: modulesKey, valueText: flowList(patterns), comment };
  const edit = addEntriesAfter(document.text, block, anchor, [added], followsVerlFormat(path));
  return edit === undefined ? fail(noPlace(blockPath)) : succeed(edit);
}

/** Behind the switch that it belongs to, else at the end. */
function anchorIn(block: MappingNode): MappingEntry | undefined {
  const besideSwitch = switchKeys.map((key) => entryOf(block, key)).find((entry) => entry !== undefined);
  return besideSwitch ?? block.entries.at(-1);
}

function noPlace(blockPath: string) {
  return {
    code: "PATTERN_LIST_NO_PLACE",
    message: `${modulesKey} cannot be added to ${blockPath === "" ? "the file" : blockPath}.`,
    cause: "The block does not stand in this file, or is written in a way that leaves no safe place.",
    nextStep: "Add the key yourself, then apply again.",
  };
}

/** How entries of a list are written. Offsets are those of the old text. */
interface ListStyle {
  readonly quoted: (pattern: string) => string;
  /** Text of new entries behind the entry that ends at `end`. */
  readonly after: (patterns: readonly string[], end: number) => TextEdit;
  /** Takes an entry out. `before` and `after` are its neighbours; `isTail`: nothing behind it stays. */
  readonly without: (span: TextSpan, neighbours: Neighbours) => TextEdit;
}

interface Neighbours {
  readonly before: TextSpan | undefined;
  readonly after: TextSpan | undefined;
  readonly isTail: boolean;
}

function flowStyle(text: string): ListStyle {
  return {
    quoted: quoteText,
    after: (patterns, end) => ({
      span: { start: end, end },
      newText: patterns.map((pattern) => `, ${quoteText(pattern)}`).join(""),
    }),
    without: (span, { before, after, isTail }) => {
      if (!isTail) return { span: { start: span.start, end: after?.start ?? span.end }, newText: "" };
      const from = before?.end ?? span.start;
      // A comment between them belongs to the entry before; a comma at the end is allowed.
      if (!text.slice(from, span.start).includes("#")) return { span: { start: from, end: span.end }, newText: "" };
      const comma = /^\s*,/.exec(text.slice(span.end, span.end + 200))?.[0].length ?? 0;
      return { span: { start: span.start, end: span.end + comma }, newText: "" };
    },
  };
}

/** `undefined` where an entry does not stand on a line of its own. */
function blockStyle(text: string, items: readonly ConfigNode[]): ListStyle | undefined {
  const lines = items.map((item) => lineOf(text, item.span));
  const [first] = lines;
  if (first === undefined || lines.some((line) => line === undefined)) return undefined;
  const quote = /^["']/.exec(text.slice(items[0]?.span.start ?? 0))?.[0];
  const write = (pattern: string) => {
    if (quote === '"' || needsQuotes(pattern)) return quoteText(pattern);
    return quote === "'" ? `'${pattern.replaceAll("'", "''")}'` : pattern;
  };
  const lineBreak = lineBreakOf(text);
  return {
    quoted: write,
    after: (patterns, end) => {
      const at = lineEndAt(text, end);
      return {
        span: { start: at, end: at },
        newText: patterns.map((pattern) => `${lineBreak}${first}${write(pattern)}`).join(""),
      };
    },
    without: (span) => {
      const from = lineStartAt(text, span.start);
      const isLast = lineEndAt(text, span.end) === text.length;
      // At the end of the text the break before the line goes instead.
      if (isLast)
        return { span: { start: lineEndAt(text, lineStartAt(text, from - 1)), end: text.length }, newText: "" };
      return { span: { start: from, end: nextLineAt(text, span.end) }, newText: "" };
    },
  };
}

/** What stands before an entry in its line, `      - `; `undefined` when that is more. */
function lineOf(text: string, span: TextSpan): string | undefined {
  const start = lineStartAt(text, span.start);
  const before = text.slice(start, span.start);
  if (!/^ *- +$/.test(before) || hasLineBreak(text.slice(span.start, span.end))) return undefined;
  return indentationBefore(text, start + before.indexOf("-")) === undefined ? undefined : before;
}

/** A pattern that YAML would not read as this text. Module names hold nothing else that needs quotes. */
function needsQuotes(pattern: string): boolean {
  if (!/^[A-Za-z_][\w.*?[\]{}!-]*$/.test(pattern)) return true;
  return /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(pattern);
}

function flowList(patterns: readonly string[]): string {
  return `[${patterns.map(quoteText).join(", ")}]`;
}

interface Written {
  readonly span: TextSpan;
  readonly text: string;
}

/** The fewest edits: what both lists share stays; in the gaps entries are replaced one by one, then added or taken out. */
function changes(written: readonly Written[], wanted: readonly string[], style: ListStyle): readonly TextEdit[] {
  const kept = commonEntries(
    written.map((entry) => entry.text),
    wanted,
  );
  const edits: TextEdit[] = [];
  let previous: TextSpan | undefined;
  let oldAt = 0;
  let newAt = 0;
  for (const [oldKept, newKept] of [...kept, [written.length, wanted.length] as const]) {
    const paired = Math.min(oldKept - oldAt, newKept - newAt);
    for (let at = 0; at < paired; at += 1) {
      const entry = written[oldAt + at];
      if (entry === undefined) continue;
      edits.push({ span: entry.span, newText: style.quoted(wanted[newAt + at] ?? "") });
      previous = entry.span;
    }
    const surplus = written.slice(oldAt + paired, oldKept);
    const added = wanted.slice(newAt + paired, newKept);
    const next = written[oldKept]?.span;
    for (const edit of removals(surplus, previous, next, style)) edits.push(edit);
    for (const edit of additions(added, previous, next, written, style)) edits.push(edit);
    previous = next ?? previous;
    oldAt = oldKept + 1;
    newAt = newKept + 1;
  }
  return edits;
}

/** From the first change to the last: edits that touch each other are one thing to an editor. */
function asOneEdit(text: string, edits: readonly TextEdit[]): TextEdit {
  const sorted = [...edits].sort((left, right) => left.span.start - right.span.start || left.span.end - right.span.end);
  const start = sorted[0]?.span.start ?? 0;
  let end = start;
  let newText = "";
  for (const edit of sorted) {
    newText += text.slice(end, edit.span.start) + edit.newText;
    end = edit.span.end;
  }
  return { span: { start, end }, newText };
}

function removals(
  surplus: readonly Written[],
  previous: TextSpan | undefined,
  next: TextSpan | undefined,
  style: ListStyle,
): readonly TextEdit[] {
  return surplus.map((entry, at) =>
    style.without(entry.span, {
      before: at === 0 ? previous : surplus[at - 1]?.span,
      after: surplus[at + 1]?.span ?? next,
      isTail: next === undefined,
    }),
  );
}

/** Behind the entry before them. At the very start the first one that stays is written anew with them before it. */
function additions(
  added: readonly string[],
  previous: TextSpan | undefined,
  next: TextSpan | undefined,
  written: readonly Written[],
  style: ListStyle,
): readonly TextEdit[] {
  if (added.length === 0) return [];
  if (previous !== undefined) return [style.after(added, previous.end)];
  const first = written.find((entry) => entry.span === next);
  if (first === undefined) return [];
  const [head, ...rest] = [...added, first.text];
  return [{ span: first.span, newText: style.quoted(head ?? "") }, style.after(rest, first.span.end)];
}

/** Pairs of positions of a longest common subsequence. Lists are short: patterns, not modules. */
function commonEntries(old: readonly string[], wanted: readonly string[]): readonly (readonly [number, number])[] {
  if (old.length * wanted.length > 4_000_000) return [];
  const width = wanted.length + 1;
  const lengths = new Int32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = wanted.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] ?? 0;
      const right = lengths[i * width + j + 1] ?? 0;
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = old[i] === wanted[j] ? both : Math.max(below, right);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < old.length && j < wanted.length; ) {
    if (old[i] === wanted[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
