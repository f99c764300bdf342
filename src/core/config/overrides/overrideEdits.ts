import type { MappingEntry } from "../configNode.js";
import type { QuickFix, TextEdit, TextSpan } from "../diagnostic.js";
import type { EntryWriter } from "../edits.js";
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

/** The fixes of a rule for YAML that hold for an override too: plain texts in the place of plain texts. */
export function safeFixes(text: string, tree: OverrideTree, fixes: readonly QuickFix[]): readonly QuickFix[] {
  return fixes.filter((fix) =>
    fix.edits.every((edit) => isSafe(text, tree, edit) || removalsOf(text, tree).has(JSON.stringify(edit))),
  );
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

function isSafe(text: string, tree: OverrideTree, edit: TextEdit): boolean {
  for (const [entry, override] of tree.overrideOf) {
    const isKey = sameSpan(edit.span, entry.keySpan) && text.slice(edit.span.start, edit.span.end) === entry.key;
    if (isKey || isWholeKey(text, override, edit.span)) return plain.test(edit.newText);
    if (sameSpan(edit.span, override.valueSpan) || isInside(edit.span, entry)) {
      return replacePlain(text, edit.span, edit.newText) !== undefined;
    }
  }
  return false;
}

/** True for the stretch of the whole key where it stands as it reaches the program. */
function isWholeKey(text: string, { keySpan, keyPath }: Override, span: TextSpan): boolean {
  return sameSpan(span, keySpan) && text.slice(span.start, span.end) === keyPath;
}

function isInside(span: TextSpan, entry: MappingEntry): boolean {
  return span.start >= entry.value.span.start && span.end <= entry.value.span.end && span.start < span.end;
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
  const lineStart = text.lastIndexOf("\n", word.start - 1) + 1;
  const lineFeed = text.indexOf("\n", word.end);
  const lineEnd = lineFeed < 0 ? text.length : lineFeed;
  const rest = text.slice(word.end, lineEnd);
  const isAlone = /^[ \t]*$/.test(text.slice(lineStart, word.start)) && /^[ \t]*\\?\r?$/.test(rest);
  if (!isAlone) return removeInline(text, word);
  const isContinued = rest.trimEnd().endsWith("\\");
  const before = /[ \t]*\\\r?\n$/.exec(text.slice(Math.max(0, lineStart - 200), lineStart));
  if (isContinued || before === null) {
    return { span: { start: lineStart, end: Math.min(text.length, lineEnd + 1) }, newText: "" };
  }
  return { span: { start: lineStart - before[0].length, end: lineEnd }, newText: "" };
}

function removeInline(text: string, word: TextSpan): TextEdit | undefined {
  let start = word.start;
  while (text[start - 1] === " " || text[start - 1] === "\t") start--;
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
