import { expandBraces } from "./braces.js";
import { type ExpandedWord, MAX_ALTERNATIVES, type Scope, type Value } from "./scope.js";
import type { Segment, Word } from "./syntax.js";
import { expandTildes, type TildePlace } from "./tilde.js";
import type { Piece } from "./tracedText.js";
import { isUnfollowed } from "./unfollowed.js";
import { WordBuilder } from "./wordBuilder.js";

type Parameter = Segment & { readonly kind: "parameter" };

/** The arguments of the function that runs, or undefined when they are known only at run time. */
export type Positional = readonly ExpandedWord[] | undefined;

/** What one expansion may still produce, shared by a whole reading. */
export interface Budget {
  charactersLeft: number;
}

/** A text put together from more pieces than these counts as unknown. */
export const MAX_PIECES = 20_000;

/** What a piece costs beside its characters: it may become a word. */
const PIECE_COST = 8;
/** What a character costs in text that is split: every second one may begin a word. */
const SPLIT_COST = 4;

/** Most values that a use of variables in this word can take; 1 when none has alternatives. */
export function countAlternatives(word: Word, scope: Scope): number {
  let most = 1;
  const visit = (segments: readonly Segment[]): void => {
    for (const segment of segments) {
      if (segment.kind !== "parameter") continue;
      most = Math.max(most, scope.get(segment.name)?.length ?? 1);
      visit(segment.operand);
    }
  };
  visit(word.segments);
  return Math.min(most, MAX_ALTERNATIVES);
}

/** Expands words with the variables of one scope, taking alternative number `alternative` of each. */
export class WordExpander {
  constructor(
    private readonly scope: Scope,
    private readonly positional: Positional,
    private readonly budget: Budget,
    private readonly alternative: number,
  ) {}

  /** Braces, tildes, variables, splitting at blanks, removal of quotes; what a command (`argument`) or an array receives. */
  words(word: Word, place: TildePlace = "argument"): ExpandedWord[] {
    const span = { start: word.start, end: word.end };
    const only = word.segments.length === 1 ? word.segments[0] : undefined;
    if (only?.kind === "text" && !/[{~]/.test(only.text)) {
      return [{ pieces: [this.pay(only)], span, assumesDefault: false }];
    }
    if (isUnfollowed(word)) return [{ pieces: [{ kind: "unknown", ...span }], span, assumesDefault: false }];
    const braces = expandBraces(word);
    const lists = braces?.words ?? [word.segments];
    return lists.flatMap((segments) => {
      const fields = new WordBuilder(span, braces?.braces);
      // Words that braces made are no assignments for bash, whatever they look like.
      this.add(fields, expandTildes(segments, braces === undefined ? place : "word"), true, false);
      return fields.finish();
    });
  }

  /** The right side of an assignment: one text, never split. */
  scalar(word: Word): Value {
    const fields = new WordBuilder({ start: word.start, end: word.end }, undefined);
    this.add(fields, expandTildes(word.segments, "assignment"), false, false);
    const pieces = fields
      .finish()
      .flatMap((field, i) => (i === 0 ? field.pieces : [blankAt(word.end), ...field.pieces]));
    if (pieces.length <= MAX_PIECES) return { kind: "scalar", pieces, assumesDefault: fields.assumesDefault };
    const tooLong: Piece = { kind: "unknown", start: word.start, end: word.end };
    return { kind: "scalar", pieces: [tooLong], assumesDefault: fields.assumesDefault };
  }

  private add(fields: WordBuilder, segments: readonly Segment[], splits: boolean, inOperand: boolean): void {
    for (const segment of segments) {
      if (segment.kind === "parameter") this.addParameter(fields, segment, splits);
      else if (segment.kind === "text" && segment.quoting === "none" && inOperand && splits) {
        fields.addSplit([this.pay(segment)], undefined);
      } else if (segment.kind === "unknown" || segment.kind === "bad") {
        fields.add({ kind: segment.kind, start: segment.start, end: segment.end });
      } else {
        fields.add(this.pay(segment));
      }
    }
  }

  /** Takes the length off the budget; without budget the text becomes unknown. */
  private pay(piece: Piece, perCharacter = 1): Piece {
    this.budget.charactersLeft -= PIECE_COST + (piece.kind === "text" ? perCharacter * piece.text.length : 0);
    if (this.budget.charactersLeft >= 0) return piece;
    return { kind: "unknown", start: piece.start, end: piece.end };
  }

  private addParameter(fields: WordBuilder, parameter: Parameter, splits: boolean): void {
    const value = this.lookUp(parameter);
    const choice = chooseOperand(parameter, value);
    if (choice !== "value") {
      if (choice === "operand") this.addOperand(fields, parameter, value === undefined, splits);
      return;
    }
    if (value === undefined || this.budget.charactersLeft < 0) {
      fields.add({ kind: "unknown", start: parameter.start, end: parameter.end, variable: parameter.name });
      return;
    }
    const splitting = splits && !parameter.quoted;
    if (value.kind === "array") this.addList(fields, parameter, value.words, splitting);
    else this.addScalar(fields, parameter, value, splitting);
  }

  private addOperand(fields: WordBuilder, parameter: Parameter, assumed: boolean, splits: boolean): void {
    const { name, operator } = parameter;
    const operand = parameter.quoted
      ? parameter.operand
      : expandTildes(parameter.operand, splits ? "word" : "assignment");
    if (assumed && operator !== ":+" && operator !== "+") fields.assumesDefault = true;
    if (operator === ":=" || operator === "=") {
      const inner = new WordBuilder({ start: parameter.start, end: parameter.end }, undefined);
      this.add(inner, operand, false, true);
      const pieces = inner.finish().flatMap((field) => field.pieces);
      this.scope.set(name, [{ kind: "scalar", pieces, assumesDefault: assumed }]);
    }
    this.add(fields, operand, splits && !parameter.quoted, true);
  }

  private addScalar(
    fields: WordBuilder,
    parameter: Parameter,
    value: Value & { kind: "scalar" },
    splitting: boolean,
  ): void {
    if (value.assumesDefault) fields.assumesDefault = true;
    if (splitting && this.separators() !== undefined) {
      fields.add({ kind: "unknown", start: parameter.start, end: parameter.end, variable: parameter.name });
      return;
    }
    const pieces = value.pieces.map((piece) => this.pay(named(piece, parameter.name), splitting ? SPLIT_COST : 1));
    const use = { name: parameter.name, span: { start: parameter.start, end: parameter.end } };
    if (splitting) fields.addSplit(pieces, use);
    else for (const piece of pieces) fields.add(piece);
    if (!splitting) fields.open();
  }

  private addList(fields: WordBuilder, parameter: Parameter, words: readonly ExpandedWord[], splitting: boolean): void {
    const joins = parameter.quoted && (parameter.subscript === "*" || parameter.name === "*");
    if (words.length === 0 && parameter.quoted && !joins) fields.addEmptyList();
    const use = { name: parameter.name, span: { start: parameter.start, end: parameter.end } };
    const separators = this.separators();
    const separator = separators?.slice(0, 1) ?? " ";
    for (const [i, word] of words.entries()) {
      if (this.budget.charactersLeft < 0) return;
      const pieces = word.pieces.map((piece) => this.pay(named(piece, parameter.name)));
      if (i > 0 && joins) fields.add(blankAt(parameter.end, separator));
      else if (i > 0) fields.end();
      if (splitting && separators !== undefined) fields.add({ kind: "unknown", ...use.span, variable: parameter.name });
      else if (splitting) fields.addSplit(pieces, use);
      else fields.addWhole(pieces, word);
    }
  }

  /** What `IFS` was set to, where that is known and not the usual: words are split there, and its first character joins. */
  private separators(): string | undefined {
    const [value, ...others] = this.scope.get("IFS") ?? [];
    if (value?.kind !== "scalar" || others.length > 0) return undefined;
    const texts = value.pieces.filter((piece) => piece.kind !== "quote");
    if (texts.some((piece) => piece.kind !== "text")) return undefined;
    const text = texts.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
    return text === " \t\n" ? undefined : text;
  }

  private lookUp(parameter: Parameter): Value | undefined {
    const { name, subscript } = parameter;
    if (name === "@" || name === "*") {
      if (this.positional === undefined) return undefined;
      return { kind: "array", words: this.positional };
    }
    if (/^[1-9]\d*$/.test(name)) return element(this.positional, Number(name) - 1);
    const values = this.scope.get(name);
    const value = values?.[Math.min(this.alternative, values.length - 1)];
    if (value === undefined) return undefined;
    if (subscript === "@" || subscript === "*") return value;
    if (value.kind === "scalar") return subscript === undefined || subscript === "0" ? value : undefined;
    return /^\d+$/.test(subscript ?? "0") ? element(value.words, Number(subscript ?? "0")) : undefined;
  }
}

function element(words: readonly ExpandedWord[] | undefined, index: number): Value | undefined {
  const word = words?.[index];
  return word && { kind: "scalar", pieces: word.pieces, assumesDefault: word.assumesDefault };
}

/** What `${name…}` yields: the value, the text behind the operator, or nothing. */
function chooseOperand(parameter: Parameter, value: Value | undefined): "value" | "operand" | "nothing" {
  const { operator } = parameter;
  if (operator === undefined || operator === "?" || operator === ":?") return "value";
  const counts = value !== undefined && (!operator.startsWith(":") || !isEmpty(value));
  if (operator.endsWith("+")) return counts ? "operand" : "nothing";
  return counts ? "value" : "operand";
}

function isEmpty(value: Value): boolean {
  if (value.kind === "array") return value.words.length === 0;
  return value.pieces.every((piece) => piece.kind === "quote" || (piece.kind === "text" && piece.text === ""));
}

function named(piece: Piece, variable: string): Piece {
  return piece.kind === "text" ? { ...piece, variable } : piece;
}

function blankAt(at: number, text = " "): Piece {
  return { kind: "text", text, start: at, end: at, quoting: "double" };
}
