import type { TextSpan } from "../document/diagnostic.js";
import type { Segment, Word } from "./syntax.js";

/** The words that brace expansion makes of one word; `braces` is where the first expanded brace stands. */
export interface BraceExpansion {
  readonly words: readonly (readonly Segment[])[];
  readonly braces: TextSpan;
}

/** More words than these, or more characters in the word, are left as written. */
const MAX_WORDS = 256;
const MAX_CHARACTERS = 4096;
const MAX_DEPTH = 16;
/** A word with more opening braces than this is left as written. */
const MAX_BRACES = 64;

const NUMBERS = /^([+-]?\d{1,9})\.\.([+-]?\d{1,9})(?:\.\.([+-]?\d{1,9}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.([+-]?\d{1,9}))?$/;

/**
 * Expands unquoted `{a,b}`, `{0..3}` and `{a..e..2}` as bash does before everything else. Undefined when the word has
 * none, or when the result would be too large. The parts of the result keep their places in the source.
 */
export function expandBraces(word: Word): BraceExpansion | undefined {
  if (!word.segments.some((segment) => isPlain(segment) && segment.text.includes("{"))) return undefined;
  if (word.end - word.start > MAX_CHARACTERS) return undefined;
  const atoms = word.segments.flatMap(toAtoms);
  if (atoms.filter((atom) => character(atom) === "{").length > MAX_BRACES) return undefined;
  const expander = new Expander();
  const words = expander.expand(atoms, 0);
  if (expander.first === undefined || words === undefined) return undefined;
  return { words: words.map(extendNames), braces: expander.first };
}

/** Braces expand as text, before variables: `$A{x,y}` becomes `$Ax $Ay`, so the name of a bare variable grows. */
function extendNames(segments: readonly Segment[]): readonly Segment[] {
  const extended: Segment[] = [];
  for (const segment of segments) {
    const before = extended.at(-1);
    const grows = before?.kind === "parameter" && isBareName(before) && /^\w+$/.test(character(segment));
    if (!grows) extended.push(segment);
    else extended[extended.length - 1] = { ...before, name: before.name + character(segment) };
  }
  return extended;
}

function isBareName(segment: Segment & { kind: "parameter" }): boolean {
  const isWritten = segment.operator === undefined && segment.subscript === undefined;
  return isWritten && !segment.braced && /^[A-Za-z_]/.test(segment.name);
}

function isPlain(segment: Segment): segment is Segment & { kind: "text" } {
  return segment.kind === "text" && segment.quoting === "none";
}

/** Unquoted text falls into single characters, everything else stays whole. */
function toAtoms(segment: Segment): readonly Segment[] {
  if (!isPlain(segment)) return [segment];
  return segment.text.split("").map((text, i) => {
    const start = segment.start + i;
    return { kind: "text", text, start, end: start + 1, quoting: "none" };
  });
}

function character(atom: Segment | undefined): string {
  return atom !== undefined && isPlain(atom) ? atom.text : "";
}

interface Brace {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

class Expander {
  first: TextSpan | undefined;
  private made = 0;

  expand(atoms: readonly Segment[], depth: number): Segment[][] | undefined {
    if (depth > MAX_DEPTH) return undefined;
    for (const brace of matchBraces(atoms)) {
      const choices = this.choices(atoms, brace, depth);
      if (choices === undefined) continue;
      const open = atoms[brace.open];
      const close = atoms[brace.close];
      if (open !== undefined && close !== undefined) this.first ??= { start: open.start, end: close.end };
      const rest = this.expand(atoms.slice(brace.close + 1), depth + 1);
      if (rest === undefined) return undefined;
      this.made += choices.length * rest.length;
      if (this.made > MAX_WORDS) return undefined;
      const head = atoms.slice(0, brace.open);
      return choices.flatMap((choice) => rest.map((tail) => [...head, ...choice, ...tail]));
    }
    return [[...atoms]];
  }

  /** What stands for the brace; undefined when it is no expansion and stays as written. */
  private choices(atoms: readonly Segment[], brace: Brace, depth: number): Segment[][] | undefined {
    const { open, close, commas } = brace;
    if (commas.length === 0) return sequence(atoms.slice(open + 1, close));
    const edges = [open, ...commas, close];
    const choices: Segment[][] = [];
    for (let i = 0; i + 1 < edges.length; i++) {
      const made = this.expand(atoms.slice((edges[i] ?? 0) + 1, edges[i + 1]), depth + 1);
      if (made === undefined || choices.length + made.length > MAX_WORDS) return undefined;
      choices.push(...made);
    }
    return choices;
  }
}

/** Pairs of braces with the commas directly inside, by the place of the opening one. One pass with a stack. */
function matchBraces(atoms: readonly Segment[]): Brace[] {
  const open: { at: number; commas: number[] }[] = [];
  const found: Brace[] = [];
  for (const [at, atom] of atoms.entries()) {
    const text = character(atom);
    if (text === "{") open.push({ at, commas: [] });
    else if (text === ",") open.at(-1)?.commas.push(at);
    else if (text === "}") {
      const top = open.pop();
      if (top !== undefined) found.push({ open: top.at, close: at, commas: top.commas });
    }
  }
  return found.sort((a, b) => a.open - b.open);
}

/** `0..3`, `a..e`, with an optional step: one text per step, each standing where the whole sequence is written. */
function sequence(inside: readonly Segment[]): Segment[][] | undefined {
  if (!inside.every(isPlain)) return undefined;
  const first = inside[0];
  const last = inside.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const texts = sequenceTexts(inside.map(character).join(""));
  return texts?.map((text) => [{ kind: "text", text, start: first.start, end: last.end, quoting: "none" }]);
}

function sequenceTexts(text: string): string[] | undefined {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [, from = "", to = "", step = "1"] = numbers;
    const padded = [from, to].some((end) => /^[+-]?0\d/.test(end));
    const width = padded ? Math.max(from.length, to.length) : 0;
    return steps(Number(from), Number(to), Number(step))?.map((n) => padNumber(n, width));
  }
  const letters = LETTERS.exec(text);
  if (letters === null) return undefined;
  const [, from = "", to = "", step = "1"] = letters;
  return steps(from.charCodeAt(0), to.charCodeAt(0), Number(step))?.map((code) => String.fromCharCode(code));
}

function steps(from: number, to: number, step: number): number[] | undefined {
  const stride = Math.abs(step) || 1;
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  if (count > MAX_WORDS) return undefined;
  const direction = to >= from ? stride : -stride;
  return Array.from({ length: count }, (_, i) => from + i * direction);
}

function padNumber(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0");
  return value < 0 ? `-${digits}` : digits;
}
