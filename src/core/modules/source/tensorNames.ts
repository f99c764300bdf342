import { CountList, codesText, type NameSpans, spansOf } from "./nameSpans.js";

/** Stands for names that differ in their numbers only: such a name with 0 for every number, e.g. `model.layers.0.mlp.gate.weight`. */
export type NameShape = string;

const numberPlace = /(?<=\.)0(?=\.)/;

/** What stands between the numbers of a shape; one more than there are numbers. */
export function textsBetween(shape: NameShape): readonly string[] {
  return shape.split(numberPlace);
}

const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
/** Numbers of fewer digits fit 32 bits. */
const maxDigits = 9;

/**
 * A set of tensor names in the order in which they were added. A checkpoint has 100,000 names of twenty shapes: kept is the shape
 * and the numbers of each, and work that depends on the shape alone is done once a shape. Numbers are the segments that consist of
 * digits and have a segment before and after them.
 */
export class TensorNames implements Iterable<string> {
  readonly #shapes: NameShape[] = [];
  readonly #shapeSlots = new Slots();
  readonly #nameSlots = new Slots();
  readonly #shapeOf = new CountList();
  /** Where the numbers of a name begin in `#numbers`. */
  readonly #numbersAt = new CountList();
  readonly #numbers = new CountList();
  /** By shape, the one that followed it last: layers repeat theirs in turn. */
  readonly #nextShape = new CountList();
  #lastShape = 0;
  #size = 0;
  /** The name at hand, its numbers replaced. */
  #scratch = new Uint16Array(1024);
  #scratchLength = 0;
  readonly #scratchNumbers = new CountList();

  static of(names: Iterable<string>): TensorNames {
    const found = new TensorNames();
    const spans = spansOf([...names]);
    for (let at = 0; at < spans.count; at += 1) found.add(spans, at);
    return found;
  }

  get size(): number {
    return this.#size;
  }

  get shapes(): readonly NameShape[] {
    return this.#shapes;
  }

  /** Adds the name number `at`; gives its number in this set, which may have had it. */
  add(spans: NameSpans, at: number): number {
    const shape = this.#shapeAt(spans, at);
    const hash = this.#hashNumbers(shape);
    const known = this.#nameSlots.find(hash, (name) => this.#isSame(name, shape));
    if (known >= 0) return known;
    const name = this.#size;
    this.#size += 1;
    this.#shapeOf.push(shape);
    this.#numbersAt.push(this.#numbers.length);
    const { values, length } = this.#scratchNumbers;
    for (let index = 0; index < length; index += 1) this.#numbers.push(values[index] ?? 0);
    this.#nameSlots.insert(hash, name);
    return name;
  }

  has(name: string): boolean {
    const shape = this.#findShape(this.#replaceNumbers(spansOf([name]), 0));
    return shape >= 0 && this.#nameSlots.find(this.#hashNumbers(shape), (other) => this.#isSame(other, shape)) >= 0;
  }

  /** Position in `shapes` of the shape of a name, by its number in this set. */
  shapeOf(name: number): number {
    return this.#shapeOf.values[name] ?? 0;
  }

  /** The number at place `at` of a name. */
  numberOf(name: number, at: number): number {
    return this.#numbers.values[(this.#numbersAt.values[name] ?? 0) + at] ?? 0;
  }

  textOf(name: number): string {
    const texts = textsBetween(this.#shapes[this.shapeOf(name)] ?? "");
    return texts.reduce((text, next, at) => text + this.numberOf(name, at - 1) + next);
  }

  *[Symbol.iterator](): Iterator<string> {
    for (let name = 0; name < this.#size; name += 1) yield this.textOf(name);
  }

  /** The first names, as a set of their own. */
  first(count: number): TensorNames {
    const names = new TensorNames();
    for (let name = 0; name < count; name += 1) names.add(spansOf([this.textOf(name)]), 0);
    return names;
  }

  /** The shape of a name, new or known; its numbers are left in `#scratchNumbers`. */
  #shapeAt(spans: NameSpans, at: number): number {
    const guess = this.#nextShape.values[this.#lastShape] ?? 0;
    const shape = this.#hasShape(spans, at, guess) ? guess : this.#foundShape(spans, at);
    this.#nextShape.values[this.#lastShape] = shape;
    this.#lastShape = shape;
    return shape;
  }

  #foundShape(spans: NameSpans, at: number): number {
    const hash = this.#replaceNumbers(spans, at);
    const known = this.#findShape(hash);
    if (known >= 0) return known;
    const shape = this.#shapes.length;
    this.#shapes.push(codesText(this.#scratch, 0, this.#scratchLength));
    this.#shapeSlots.insert(hash, shape);
    this.#nextShape.push(0);
    return shape;
  }

  /** Whether a name has that shape; if so, its numbers are left in `#scratchNumbers`. */
  #hasShape({ codes, starts, ends }: NameSpans, name: number, shape: number): boolean {
    const expected = this.#shapes[shape];
    if (expected === undefined) return false;
    const numbers = this.#scratchNumbers;
    numbers.length = 0;
    const end = ends[name] ?? 0;
    let at = starts[name] ?? 0;
    for (let index = 0; index < expected.length; index += 1) {
      if (at >= end) return false;
      const code = expected.charCodeAt(index);
      if (code === zero && expected.charCodeAt(index - 1) === dot && expected.charCodeAt(index + 1) === dot) {
        const after = numberEnd(codes, at, end);
        if (after === 0) return false;
        numbers.push(numberIn(codes, at, after));
        at = after;
      } else if (codes[at] === code) at += 1;
      else return false;
    }
    return at === end;
  }

  /** The known shape of the name at hand, or -1. */
  #findShape(hash: number): number {
    return this.#shapeSlots.find(hash, (shape) => this.#isScratch(this.#shapes[shape]));
  }

  /** Puts a name at hand; gives the hash of its shape. */
  #replaceNumbers({ codes, starts, ends }: NameSpans, name: number): number {
    const start = starts[name] ?? 0;
    const end = ends[name] ?? 0;
    if (end - start > this.#scratch.length) this.#scratch = new Uint16Array(2 * (end - start));
    const scratch = this.#scratch;
    const numbers = this.#scratchNumbers;
    numbers.length = 0;
    let hash = seed;
    let length = 0;
    for (let at = start; at < end; at += 1) {
      let code: number = codes[at] ?? 0;
      if (code >= zero && code <= nine && at > start && codes[at - 1] === dot) {
        const after = numberEnd(codes, at, end);
        if (after > 0) {
          numbers.push(numberIn(codes, at, after));
          code = zero;
          at = after - 1;
        }
      }
      scratch[length] = code;
      length += 1;
      hash = Math.imul(hash ^ code, factor);
    }
    this.#scratchLength = length;
    return mixed(hash, length);
  }

  #hashNumbers(shape: number): number {
    const { values, length } = this.#scratchNumbers;
    let hash = mixed(seed, shape);
    for (let at = 0; at < length; at += 1) hash = mixed(hash, values[at] ?? 0);
    return hash;
  }

  #isScratch(shape: NameShape | undefined): boolean {
    const length = this.#scratchLength;
    if (shape?.length !== length) return false;
    for (let at = 0; at < length; at += 1) if (shape.charCodeAt(at) !== this.#scratch[at]) return false;
    return true;
  }

  /** Whether a name of the set is the one at hand, which has that shape. */
  #isSame(name: number, shape: number): boolean {
    if (this.#shapeOf.values[name] !== shape) return false;
    const { values, length } = this.#scratchNumbers;
    const start = this.#numbersAt.values[name] ?? 0;
    for (let at = 0; at < length; at += 1) if (this.#numbers.values[start + at] !== values[at]) return false;
    return true;
  }
}

/** The end of the number that begins here, if a dot follows and it is written as numbers are; else 0. */
function numberEnd(codes: Uint8Array | Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && (codes[at] ?? 0) >= zero && (codes[at] ?? 0) <= nine) at += 1;
  const isPlain = at - start === 1 || codes[start] !== zero;
  return at > start && at < end && codes[at] === dot && at - start <= maxDigits && isPlain ? at : 0;
}

function numberIn(codes: Uint8Array | Uint16Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + ((codes[at] ?? zero) - zero);
  return value;
}

/** Unlike in every process, so that no file can be made to have names that all meet in one slot. */
const seed = Math.floor(Math.random() * 2 ** 31);

/** Odd, so that no bit is lost. */
const factor = 0x9e3779b1;

function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, factor);
  return product ^ (product >>> 15);
}

/** An open hash table of numbers: the caller says what they stand for. */
class Slots {
  #slots = new Int32Array(4096);
  #hashes = new Int32Array(4096);
  #count = 0;

  /** The number that was inserted with this hash and fits, or -1. */
  find(hash: number, fits: (value: number) => boolean): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const value = (this.#slots[slot] ?? 0) - 1;
      if (value < 0 || (this.#hashes[slot] === hash && fits(value))) return value;
    }
  }

  insert(hash: number, value: number): void {
    if (2 * this.#count >= this.#slots.length) this.#grow();
    this.#place(hash, value);
    this.#count += 1;
  }

  #place(hash: number, value: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = value + 1;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const slots = this.#slots;
    const hashes = this.#hashes;
    this.#slots = new Int32Array(slots.length * 2);
    this.#hashes = new Int32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += 1) {
      if (slots[at] !== 0) this.#place(hashes[at] ?? 0, (slots[at] ?? 0) - 1);
    }
  }
}
