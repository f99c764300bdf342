import type { QuickFix, TextEdit, TextSpan } from "../document/diagnostic.js";
import type { EntryWriter } from "../document/edits.js";
import type { Override } from "../shell/overrides.js";
import type { OverrideTree } from "./overrideTree.js";

/** Text that needs no quotes, neither for a shell nor for Hydra. */
const plain = /^[\w.+-]+$/;

/** Changes overrides where they stand, as far as that is safe without knowing the quotes around them. */
export function overrideWriter(text: string, tree: OverrideTree): EntryWriter {
  return {
    set: (entry, valueText) => {
      const override = tree.overrideOf.get(entry);
      return override === undefined ? undefined : replacePlain(text, override.valueSpan, valueText);
    },
    remove: (entry) => {
      const override = tree.overrideOf.get(entry);
      return override === undefined ? undefined : removeWord(text, override);
    },
    move: (entry, path) => {
      const override = tree.overrideOf.get(entry);
      return override === undefined || !isWholeKey(text, override, override.keySpan)
        ? undefined
        : { span: override.keySpan, newText: path };
    },
  };
}

/** Replaces a value that is one plain text, in quotes of its own or without. */
export function replacePlain(text: string, span: TextSpan, newText: string): TextEdit | undefined {
  const written = text.slice(span.start, span.end);
  const isPlain = plain.test(written) || /^"[\w.+-]*"$/.test(written) || /^'[\w.+-]*'$/.test(written);
  return isPlain && plain.test(newText) ? { span, newText } : undefined;
}

/**
 * The fixes of a rule for YAML that hold for an override too: plain texts in the place of plain texts. A block is renamed in every
 * override that names it.
 */
export function safeFixes(text: string, tree: OverrideTree, fixes: readonly QuickFix[]): readonly QuickFix[] {
  return fixes
    .map((fix) => ({ ...fix, edits: fix.edits.flatMap((edit) => inEveryOverride(text, tree, edit)) }))
    .filter((fix) =>
      fix.edits.every((edit) => isSafe(text, tree, edit) || removalsOf(text, tree).has(JSON.stringify(edit))),
    );
}

function inEveryOverride(text: string, tree: OverrideTree, edit: TextEdit): readonly TextEdit[] {
  const spans = placesOf(text, tree).blocks.get(`${edit.span.start}:${edit.span.end}`);
  return spans === undefined ? [edit] : spans.map((span) => ({ span, newText: edit.newText }));
}

/** Asked for once per finding, and a script may have thousands of both. */
const removals = new WeakMap<OverrideTree, ReadonlySet<string>>();

/** The edits that take out one override of the tree whole; a tree belongs to one text. */
function removalsOf(text: string, tree: OverrideTree): ReadonlySet<string> {
  const known = removals.get(tree);
  if (known !== undefined) return known;
  const found = [...tree.overrideOf.values()].flatMap((override) => removeWord(text, override) ?? []);
  const edits = new Set(found.map((edit) => JSON.stringify(edit)));
  removals.set(tree, edits);
  return edits;
}

function isSafe(text: string, tree: OverrideTree, { span, newText }: TextEdit): boolean {
  const places = placesOf(text, tree);
  if (places.keys.has(`${span.start}:${span.end}`)) return plain.test(newText);
  const isValue = places.values.has(`${span.start}:${span.end}`) || isInside(span, places.nodes);
  return isValue && replacePlain(text, span, newText) !== undefined;
}

/** What may be edited in a tree: keys as they reach the program, values, and the nodes of values in text order. */
interface EditablePlaces {
  readonly keys: ReadonlySet<string>;
  /** By the first place of a block all of its places. */
  readonly blocks: ReadonlyMap<string, readonly TextSpan[]>;
  readonly values: ReadonlySet<string>;
  readonly nodes: readonly TextSpan[];
}

const editablePlaces = new WeakMap<OverrideTree, EditablePlaces>();

function placesOf(text: string, tree: OverrideTree): EditablePlaces {
  const known = editablePlaces.get(tree);
  if (known !== undefined) return known;
  const all = [...tree.overrideOf];
  const spans = (list: readonly TextSpan[]) => new Set(list.map(({ start, end }) => `${start}:${end}`));
  const blocks = [...tree.placesOfBlock].map(([{ key }, found]) => ({ key, found }));
  const isWritten = (key: string, { start, end }: TextSpan) => text.slice(start, end) === key;
  const places = {
    keys: spans([
      ...all.flatMap(([{ keySpan, key }, override]) => [
        ...(isWritten(key, keySpan) ? [keySpan] : []),
        ...(isWholeKey(text, override, override.keySpan) ? [override.keySpan] : []),
      ]),
      ...blocks.flatMap(({ key, found }) => found.filter((span) => isWritten(key, span))),
    ]),
    blocks: new Map(
      blocks.flatMap(({ found }) => (found[0] === undefined ? [] : [[`${found[0].start}:${found[0].end}`, found]])),
    ),
    values: spans(all.map(([, { valueSpan }]) => valueSpan)),
    nodes: all.map(([{ value }]) => value.span).sort((left, right) => left.start - right.start),
  };
  editablePlaces.set(tree, places);
  return places;
}

/** True for the stretch of the whole key where it stands as it reaches the program. */
function isWholeKey(text: string, { keySpan, keyPath }: Override, span: TextSpan): boolean {
  return sameSpan(span, keySpan) && text.slice(span.start, span.end) === keyPath;
}

/** True for a stretch of one of the nodes, which are sorted and apart from each other, or the same. */
function isInside(span: TextSpan, nodes: readonly TextSpan[]): boolean {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.start ?? 0) <= span.start) low = middle + 1;
    else high = middle;
  }
  const node = nodes[low - 1];
  return node !== undefined && span.end <= node.end && span.start < span.end;
}

function sameSpan(left: TextSpan, right: TextSpan): boolean {
  return left.start === right.start && left.end === right.end;
}

/** Where an operator can be put before a key, or taken away: only where the key stands as it reaches the program. */
export function operatorEdit(text: string, override: Override, operator: "" | "+"): TextEdit | undefined {
  const { start, end } = override.keySpan;
  if (text.slice(start, end) !== override.keyPath) return undefined;
  let from = start;
  while (text[from - 1] === "+") from--;
  return { span: { start: from, end: start }, newText: operator };
}

/**
 * Takes a whole override out: its line where it stands alone on one, with the continuation that it would leave dangling,
 * else the word with the blank before it.
 */
export function removeWord(text: string, override: Override): TextEdit | undefined {
  const word = wordOf(text, override);
  if (word === undefined) return undefined;
  const lineStart = blanksBefore(text, word.start);
  const lineEnd = restOfLine(text, word.end);
  const isAlone = (lineStart === 0 || isLineBreak(text[lineStart - 1])) && lineEnd !== undefined;
  if (!isAlone) return removeInline(text, word);
  const isContinued = text.slice(word.end, lineEnd).trimEnd().endsWith("\\");
  const before = /[ \t]*\\(?:\r+\n?|\n)$/.exec(text.slice(Math.max(0, lineStart - 200), lineStart));
  if (isContinued || before === null) {
    return { span: { start: lineStart, end: behindLineBreak(text, lineEnd) }, newText: "" };
  }
  return { span: { start: lineStart - before[0].length, end: lineEnd }, newText: "" };
}

/** Where the blanks begin that end at `offset`. A line may be a whole script, so nothing here looks at all of it. */
function blanksBefore(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === " " || text[start - 1] === "\t") start--;
  return start;
}

/** The end of the line, if nothing but blanks and one backslash stands before it. */
function restOfLine(text: string, offset: number): number | undefined {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  if (text[at] === "\\") at++;
  return at === text.length || isLineBreak(text[at]) ? at : undefined;
}

function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function behindLineBreak(text: string, lineEnd: number): number {
  let at = lineEnd;
  while (text[at] === "\r") at++;
  return text[at] === "\n" ? at + 1 : at;
}

function removeInline(text: string, word: TextSpan): TextEdit | undefined {
  const start = blanksBefore(text, word.start);
  if (start === word.start) return undefined;
  return { span: { start, end: word.end }, newText: "" };
}

/** From the operator or the opening quote to the end; `undefined` when the word does not stand in one piece. */
function wordOf(text: string, override: Override): TextSpan | undefined {
  const { keySpan, valueSpan } = override;
  if (text.slice(keySpan.start, keySpan.end) !== override.keyPath || text[keySpan.end] !== "=") return undefined;
  if (valueSpan.start < keySpan.end || valueSpan.start > keySpan.end + 1) return undefined;
  let start = keySpan.start;
  while (text[start - 1] === "+") start--;
  let end = valueSpan.end;
  const quote = text[start - 1];
  if (quote === "'" || quote === '"') {
    if (text[end] !== quote) return undefined;
    start--;
    end++;
  }
  const isWord = /^$|[\s(]/.test(text[start - 1] ?? "") && /^$|[\s)]/.test(text[end] ?? "");
  return isWord ? { start, end } : undefined;
}
