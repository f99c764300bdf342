import { parseJsonText } from "./utf8.js";

/*
 * Fast readers for the two large JSON texts of a checkpoint as programs write them. They take only texts that a JSON parser reads
 * to the same values, and leave everything else to it: strings with escapes, names that begin with a digit (objects list numbers
 * first), equal keys, numbers that are no plain counts, members that nobody expects. A parser spends most of its time on one object
 * with 100,000 keys, which is not needed here.
 */

/** One tensor of a safetensors header, as written. */
export interface ScannedTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly startByte: number;
  readonly endByte: number;
}

/** The tensors of a safetensors header in the order of the text, or `undefined` if the text needs a parser. */
export function scanSafetensorsHeader(text: string): readonly ScannedTensor[] | undefined {
  const scanner = new Scanner(text);
  const rows: ScannedTensor[] = [];
  let hasMetadata = false;
  if (!scanner.take(openBrace)) return undefined;
  do {
    const name = scanner.key();
    if (name === undefined || startsWithDigit(name)) return undefined;
    if (name === "__metadata__") {
      if (hasMetadata || !skipTexts(scanner)) return undefined;
      hasMetadata = true;
      continue;
    }
    const row = tensor(scanner, name);
    if (row === undefined) return undefined;
    rows.push(row);
  } while (scanner.take(comma));
  return scanner.take(closeBrace) && scanner.isAtEnd() ? rows : undefined;
}

/** The member `weight_map` of a checkpoint's index, or `undefined` if the text needs a parser. */
export function scanWeightMap(text: string): ReadonlyMap<string, string> | undefined {
  const start = text.indexOf('"weight_map"');
  if (start < 0) return undefined;
  const scanner = new Scanner(text, start);
  const map = new Map<string, string>();
  if (scanner.key() === undefined || !scanner.take(openBrace)) return undefined;
  let shard: string | undefined;
  do {
    const name = scanner.key();
    if (name === undefined || startsWithDigit(name)) return undefined;
    shard = scanner.text(shard);
    if (shard === undefined) return undefined;
    map.set(name, shard);
  } while (scanner.take(comma));
  if (!scanner.take(closeBrace)) return undefined;
  return isOutermost(text.slice(0, start), text.slice(scanner.position)) ? map : undefined;
}

const mark = "offload-lens-mark";
/** Whether what surrounds the map is valid JSON in which it is the one that counts: a parser finds the mark in its place. */
function isOutermost(before: string, after: string): boolean {
  const rest = parseJsonText(`${before}"weight_map":"${mark}"${after}`)?.value;
  return typeof rest === "object" && rest !== null && "weight_map" in rest && rest.weight_map === mark;
}

/** One after the other: dtype, shape and offsets, in any order, each once. */
function tensor(scanner: Scanner, name: string): ScannedTensor | undefined {
  let dtype: string | undefined;
  let shape: readonly number[] | undefined;
  let offsets: readonly number[] | undefined;
  if (!scanner.take(openBrace)) return undefined;
  do {
    if (dtype === undefined && scanner.takeKey('"dtype"')) {
      dtype = scanner.text(scanner.lastDtype);
      if (dtype === undefined) return undefined;
      scanner.lastDtype = dtype;
    } else if (shape === undefined && scanner.takeKey('"shape"')) {
      shape = scanner.counts();
      if (shape === undefined) return undefined;
    } else if (offsets === undefined && scanner.takeKey('"data_offsets"')) {
      offsets = scanner.counts();
      if (offsets?.length !== 2) return undefined;
    } else return undefined;
  } while (scanner.take(comma));
  const [startByte, endByte] = offsets ?? [];
  if (!scanner.take(closeBrace) || dtype === undefined || shape === undefined) return undefined;
  if (startByte === undefined || endByte === undefined) return undefined;
  return { name, dtype, shape, startByte, endByte };
}

/** Passes over an object whose values are texts. */
function skipTexts(scanner: Scanner): boolean {
  if (!scanner.take(openBrace)) return false;
  if (scanner.take(closeBrace)) return true;
  do {
    if (scanner.key() === undefined || scanner.text(undefined) === undefined) return false;
  } while (scanner.take(comma));
  return scanner.take(closeBrace);
}

function startsWithDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= zero && code <= nine;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const zero = 0x30;
const nine = 0x39;
/** Counts of fewer digits are exact. */
const maxDigits = 15;

class Scanner {
  lastDtype: string | undefined;

  constructor(
    private readonly source: string,
    public position = 0,
  ) {}

  /** Passes over the character if it is the next one behind white space. */
  take(code: number): boolean {
    if (this.#next() !== code) return false;
    this.position += 1;
    return true;
  }

  /** Passes over the key, which is given with its quotes, and its colon. */
  takeKey(quoted: string): boolean {
    this.#next();
    if (!this.source.startsWith(quoted, this.position)) return false;
    this.position += quoted.length;
    return this.take(colon);
  }

  /** A text that is followed by a colon. */
  key(): string | undefined {
    const text = this.text(undefined);
    return text !== undefined && this.take(colon) ? text : undefined;
  }

  /** A text without escapes. `expected` is given back, without a copy, if it is what stands here. */
  text(expected: string | undefined): string | undefined {
    if (!this.take(quote)) return undefined;
    const start = this.position;
    if (expected !== undefined && this.source.startsWith(expected, start)) {
      const end = start + expected.length;
      if (this.source.charCodeAt(end) === quote) {
        this.position = end + 1;
        return expected;
      }
    }
    let at = start;
    for (let code = this.source.charCodeAt(at); code !== quote; code = this.source.charCodeAt(at)) {
      // Not a number at the end of the text.
      if (!(code >= space) || code === backslash) return undefined;
      at += 1;
    }
    this.position = at + 1;
    return this.source.slice(start, at);
  }

  /** A list of whole numbers from 0. */
  counts(): readonly number[] | undefined {
    if (!this.take(openBracket)) return undefined;
    const found: number[] = [];
    if (this.take(closeBracket)) return found;
    do {
      const count = this.#count();
      if (count === undefined) return undefined;
      found.push(count);
    } while (this.take(comma));
    return this.take(closeBracket) ? found : undefined;
  }

  isAtEnd(): boolean {
    return Number.isNaN(this.#next());
  }

  #count(): number | undefined {
    const first = this.#next();
    const start = this.position;
    let value = 0;
    let at = start;
    for (let code = first; code >= zero && code <= nine; code = this.source.charCodeAt(at)) {
      value = value * 10 + (code - zero);
      at += 1;
    }
    const digits = at - start;
    if (digits === 0 || digits > maxDigits || (digits > 1 && first === zero)) return undefined;
    this.position = at;
    return value;
  }

  /** The character code behind white space, as JSON has it; not a number at the end. */
  #next(): number {
    let code = this.source.charCodeAt(this.position);
    while (code === space || code === 0x0a || code === 0x0d || code === 0x09) {
      this.position += 1;
      code = this.source.charCodeAt(this.position);
    }
    return code;
  }
}
