import { shownWord } from "../../base/shownWord.js";
import type { QuickFix, TextSpan } from "../document/diagnostic.js";
import { parseOverride, parseValue } from "../hydra/parse.js";
import { type HydraValue, sameValue } from "../hydra/value.js";
import { meantList } from "./listText.js";
import type { Expectation, Trap } from "./overrideTypes.js";
import { replaceValue, shellQuoted, withQuotesKept } from "./quoting.js";
import type { ShellWord } from "./readShell.js";

/** A word that is an override, with what Hydra makes of it. */
export interface ReadWord {
  /** The original text of the file. */
  readonly source: string;
  readonly word: ShellWord;
  /** Index of the equals sign in the text of the word. */
  readonly equals: number;
  /** Undefined when the grammar or the composition refuses it. */
  readonly value: HydraValue | undefined;
  readonly expects: Expectation | undefined;
  /** Words of the same command that follow. */
  readonly following: readonly ShellWord[];
  /** The word stands where the name of a program is expected. */
  readonly isCutOff: boolean;
  readonly hasCommandAbove: boolean;
  /** False in a text that a second shell reads. */
  readonly canEdit: boolean;
}

/** A trap, and how many of the following words belong to this value. */
export interface FoundTrap {
  readonly trap: Trap;
  readonly swallowed: number;
}

const CUT_OFF: Trap = {
  code: "cut-off",
  message:
    "This line begins a command of its own, so nothing here reaches the trainer: a comment or an empty line ends the command above, even behind a backslash.",
};

const NO_COMMAND: Trap = {
  code: "cut-off",
  message:
    "This line begins a command of its own, and no command above it could take it: nothing here reaches a trainer.",
};

/** The most words that are tried as the rest of a list that blanks cut. */
const MAX_JOINED = 64;

/** The first trap that applies, the shell's own before those of the grammar. */
export function findTrap(read: ReadWord): FoundTrap | undefined {
  if (read.isCutOff) return { trap: read.hasCommandAbove ? CUT_OFF : NO_COMMAND, swallowed: 0 };
  const trap = badSubstitution(read) ?? braceExpansion(read);
  if (trap !== undefined) return { trap, swallowed: 0 };
  const split = wordSplit(read);
  if (split !== undefined) return split;
  const later = quotesLost(read) ?? stringInsteadOfList(read) ?? truthyWord(read);
  return later && { trap: later, swallowed: 0 };
}

function withFix(trap: Trap, fix: QuickFix | undefined): Trap {
  return fix === undefined ? trap : { ...trap, fix };
}

/** An edit of the value as a fix; undefined where the text must not or cannot be rewritten. */
export function fixValue(read: ReadWord, title: string, newValue: string | undefined): QuickFix | undefined {
  if (!read.canEdit || newValue === undefined) return undefined;
  const edit = replaceValue(read.word, read.equals, newValue);
  return edit && { title, edits: [edit] };
}

function fixSource(read: ReadWord, title: string, span: TextSpan, newText: string): QuickFix | undefined {
  return read.canEdit ? { title, edits: [{ span, newText }] } : undefined;
}

/** `"k=${x.y}"`: bash reads the interpolation as its own and stops. A backslash or single quotes hand it on. */
function badSubstitution(read: ReadWord): Trap | undefined {
  const bad = read.word.badSubstitutions[0];
  if (bad === undefined) return undefined;
  const message =
    'bash stops here with "bad substitution": it reads the braces itself. Hydra\'s interpolation needs single quotes.';
  const written = read.source.slice(bad.start, bad.end);
  const inQuotes = isInDoubleQuotes(read.word, bad);
  const newText = inQuotes ? `\\${written}` : `'${written}'`;
  const canFix = inQuotes || !written.includes("'");
  const fix = canFix ? fixSource(read, "Hand the interpolation on to Hydra", bad, newText) : undefined;
  return withFix({ code: "bad-substitution", message }, fix);
}

function isInDoubleQuotes(word: ShellWord, span: TextSpan): boolean {
  const before = word.removedQuotes.filter((quote) => quote.character === '"' && quote.span.start < span.start);
  return before.length % 2 === 1;
}

/** `k=model.layers.{0,1}`: the shell makes two words of it, and the last one wins. */
function braceExpansion(read: ReadWord): Trap | undefined {
  const { word, source } = read;
  const { braces } = word;
  if (braces === undefined) return undefined;
  const siblings = [word, ...read.following.filter((other) => other.braces?.start === braces.start)];
  if (siblings.length < 2) return undefined;
  const message = `The shell expands ${source.slice(braces.start, braces.end)} to ${siblings.length} words; the last one wins.`;
  const trap: Trap = { code: "brace-expansion", message };
  const equals = source.indexOf("=", word.span.start);
  if (equals < 0 || equals >= word.span.end || braces.start <= equals) return trap;
  const span = { start: equals + 1, end: word.span.end };
  const written = source.slice(span.start, span.end);
  const meant = meantByBraces(read, siblings, written);
  if (meant === undefined || /[\\$`'"\n]/.test(written)) return trap;
  return withFix(trap, fixSource(read, "Quote the value", span, shellQuoted(meant)));
}

/** A dictionary stays as it is; several values become one list. */
function meantByBraces(read: ReadWord, siblings: readonly ShellWord[], written: string): string | undefined {
  const asWritten = parseValue(written);
  if (asWritten.ok) return written;
  const values = siblings.map((word) => word.text.slice(word.text.indexOf("=") + 1));
  if (read.expects === "other") return undefined;
  return meantList(`[${values.map((value) => value.replace(/^\[|\]$/g, "")).join(",")}]`);
}

/** `k=["a", "b"]`: the blank ends the word, and the rest reaches the program as words of its own. */
function wordSplit(read: ReadWord): FoundTrap | undefined {
  const { word, equals } = read;
  let open = openBrackets(word.text.slice(equals + 1));
  if (read.value !== undefined || open <= 0) return undefined;
  for (const [i, next] of read.following.slice(0, MAX_JOINED).entries()) {
    if (/^\+{0,2}[A-Za-z_][\w-]*\.[\w.-]+=/.test(next.text) || parseOverride(next.text).ok) return undefined;
    open += openBrackets(next.text);
    if (open > 0) continue;
    const words = [word, ...read.following.slice(0, i + 1)];
    const message = `The blank ends the word here: the rest of the list reaches the program as ${i + 1 === 1 ? "a word" : "words"} of its own.`;
    return { trap: withFix({ code: "word-split", message }, fixSplit(read, words)), swallowed: i + 1 };
  }
  return undefined;
}

/** How many more brackets and braces open than close, quotes aside. */
function openBrackets(text: string): number {
  let depth = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth++;
    if (character === "]" || character === "}") depth--;
  }
  return depth;
}

function fixSplit(read: ReadWord, words: readonly ShellWord[]): QuickFix | undefined {
  const { word, equals, source } = read;
  const last = words.at(-1) ?? word;
  if (word.splitFrom !== undefined) return fixSplitVariable(read);
  const start = word.ends[equals];
  if (start === undefined || word.quoting[equals] !== "none" || start > last.span.end) return undefined;
  const written = source.slice(start, last.span.end);
  if (/[$`\\\n']/.test(written) || !parseValue(written).ok) {
    const list = /[$`\\\n]/.test(written) ? undefined : meantList(written);
    if (list === undefined) return undefined;
    return fixSource(read, "Quote the list", { start, end: last.span.end }, shellQuoted(list));
  }
  return fixSource(read, "Quote the list", { start, end: last.span.end }, shellQuoted(written));
}

/** `k=$LIST`: double quotes around the use keep the blanks. A long string of overrides is meant to be split. */
function fixSplitVariable(read: ReadWord): QuickFix | undefined {
  const use = read.word.splitFrom?.span;
  if (use === undefined || read.source[use.start - 1] !== "=") return undefined;
  const written = read.source.slice(use.start, use.end);
  return fixSource(read, "Quote the variable", use, `"${written}"`);
}

/** `k=["model.layers.{*}"]`: the shell removes the quotes that Hydra needs. */
function quotesLost(read: ReadWord): Trap | undefined {
  const { word, equals, value } = read;
  for (const kept of withQuotesKept(word, equals)) {
    const text = kept.slice(equals + 1);
    if (!/^[[{]/.test(text)) continue;
    const meant = parseValue(text);
    if (!meant.ok || (value !== undefined && sameValue(value, meant.value))) continue;
    const message = `The shell removes the quotes: Hydra receives ${shownWord(word.text.slice(equals + 1))}.`;
    return withFix({ code: "quotes-lost", message }, fixValue(read, "Quote for the shell", text));
  }
  return undefined;
}

/** `k='"[a]"'` or `k=a` where a list is expected: Python walks over the characters of the string. */
function stringInsteadOfList(read: ReadWord): Trap | undefined {
  const { value, expects } = read;
  if (value?.kind !== "string" || expects === "bool" || expects === "other") return undefined;
  const looksLikeList = value.quote !== undefined && /^\s*\[.*\]\s*$/s.test(value.text);
  const isPattern = expects === "list" && value.interpolations.length === 0;
  if (!looksLikeList && !isPattern) return undefined;
  const message = looksLikeList
    ? "Quotes reach Hydra, so this is one string and no list."
    : "This is a string where a list is expected; the framework would walk over its characters.";
  const list = value.text === "" ? "[]" : meantList(value.text);
  return withFix({ code: "string-instead-of-list", message }, fixValue(read, "Make it a list", list));
}

/** `k=no`: a string for Hydra, and every string that is not empty counts as true in Python. */
function truthyWord(read: ReadWord): Trap | undefined {
  const { value, expects } = read;
  if (value?.kind !== "string" || expects === "list" || expects === "other") return undefined;
  const word = value.text.toLowerCase();
  if (!/^(?:yes|no|on|off)$/.test(word)) return undefined;
  const meant = word === "yes" || word === "on" ? "true" : "false";
  const message = `Hydra keeps "${value.text}" as a string, and every string counts as true; ${meant} is the boolean.`;
  return withFix({ code: "truthy-word", message }, fixValue(read, `Write ${shownWord(meant)}`, meant));
}
