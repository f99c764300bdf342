import { WordBytes } from "./jsonBytes.js";
import { decodeLeniently } from "./lenientText.js";
import { NameRepair } from "./nameRepair.js";

/** Longer names are cut: no screen shows them, and a hostile file could fill the memory with one. */
export const MAX_NAME_BYTES = 4_096;
/** All kept names together; further new ones share one entry. The table of names goes to the page in one message. */
const MAX_TOTAL_BYTES = 24 * 2 ** 20;
const MAX_NAMES = 2 ** 20;
/** Places that are looked at for one name. Names that were made to fall on one place must not cost quadratic time. */
const MOST_STEPS = 512;
const NOT_KEPT = "(name not kept: the file has too many different names)";

/**
 * Different byte strings, numbered from 0 in order of appearance. Looking a name up costs one pass over its bytes and no
 * allocation; its text is made once, when it is first seen.
 */
export class NameTable {
  readonly texts: string[] = [];
  /** Bits of `NameRepair` per name. */
  readonly repairs: number[] = [];
  private arena = new WordBytes(2 ** 16);
  private arenaUsed = 0;
  private offsets = new Uint32Array(2 ** 10);
  private hashes = new Int32Array(2 ** 10);
  private slots = new Int32Array(2 ** 11).fill(-1);
  private textBytes = 0;
  private overflow = -1;

  /** Number of the name in `text[from, to)`; `hash` must be `hashText` of it, `isRaw` false where it has escapes. */
  intern(text: WordBytes, from: number, to: number, hash: number, isRaw: boolean): number {
    const { slots, hashes, offsets, arena } = this;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    let steps = 0;
    for (let found = slots[slot] ?? -1; found >= 0; found = slots[slot] ?? -1) {
      if (++steps > MOST_STEPS) return this.overflowed();
      if (hashes[found] === hash) {
        const start = offsets[found] ?? 0;
        const length = (offsets[found + 1] ?? 0) - start;
        if (length === to - from && isEqual(arena.view, start, text.view, from, length)) return found;
      }
      slot = (slot + 1) & mask;
    }
    return this.add(text.bytes, from, to, hash, isRaw, slot);
  }

  /** Number of a text that no file spells. */
  internText(text: string): number {
    const bytes = WordBytes.of(Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff));
    return this.intern(bytes, 0, text.length, hashText(bytes.view, 0, text.length), true);
  }

  /** Bytes that the table occupies, for the report. */
  get sizeBytes(): number {
    return (
      this.arena.capacity +
      this.slots.byteLength +
      this.hashes.byteLength +
      this.offsets.byteLength +
      this.textBytes * 2
    );
  }

  private add(bytes: Uint8Array, from: number, to: number, hash: number, isRaw: boolean, slot: number): number {
    if (this.textBytes > MAX_TOTAL_BYTES || this.texts.length >= MAX_NAMES) return this.overflowed();
    const number = this.texts.length;
    const length = to - from;
    this.reserve(length, number + 2);
    this.arena.bytes.set(bytes.subarray(from, to), this.arenaUsed);
    this.arenaUsed += length;
    this.offsets[number + 1] = this.arenaUsed;
    this.hashes[number] = hash;
    this.slots[slot] = number;
    const isCut = length > MAX_NAME_BYTES;
    const kept = bytes.subarray(from, isCut ? cutAt(bytes, from, from + MAX_NAME_BYTES, isRaw) : to);
    const { text, repair } = decodeLeniently(kept, isRaw);
    this.texts.push(isCut ? `${text}…` : text);
    this.repairs.push(isCut ? repair | NameRepair.cut : repair);
    this.textBytes += Math.min(length, MAX_NAME_BYTES);
    if ((number + 1) * 2 > this.slots.length) this.rehash();
    return number;
  }

  private overflowed(): number {
    if (this.overflow < 0) {
      this.overflow = this.texts.length;
      this.texts.push(NOT_KEPT);
      this.repairs.push(NameRepair.notKept);
      // Keeps the offsets in step; no slot leads here.
      this.reserve(0, this.overflow + 2);
      this.offsets[this.overflow + 1] = this.arenaUsed;
    }
    return this.overflow;
  }

  private reserve(bytes: number, names: number): void {
    if (this.arenaUsed + bytes > this.arena.capacity) {
      const larger = new WordBytes(Math.max(this.arena.capacity * 2, this.arenaUsed + bytes));
      larger.bytes.set(this.arena.bytes.subarray(0, this.arenaUsed));
      this.arena = larger;
    }
    if (names > this.hashes.length) {
      const hashes = new Int32Array(this.hashes.length * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
      const offsets = new Uint32Array(hashes.length);
      offsets.set(this.offsets);
      this.offsets = offsets;
    }
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (const number of this.slots) {
      if (number < 0) continue;
      let slot = spread(this.hashes[number] ?? 0) & mask;
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.slots = slots;
  }
}

/** The last place up to `to` that splits neither a character of UTF-8 nor an escape of JSON. */
function cutAt(bytes: Uint8Array, from: number, to: number, isRaw: boolean): number {
  let at = to;
  while (at > to - 4 && at > from && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  if (isRaw) return at;
  const backslash = bytes.subarray(Math.max(from, at - LONGEST_ESCAPE), at).lastIndexOf(BACKSLASH);
  if (backslash < 0) return at;
  let first = Math.max(from, at - LONGEST_ESCAPE) + backslash;
  while (first > from && bytes[first - 1] === BACKSLASH) first--;
  return first;
}

const BACKSLASH = 0x5c;
/** Bytes of `\\u1234` but the last. */
const LONGEST_ESCAPE = 5;

/** Names that differ in a digit have neighbouring hashes; their places must not be neighbours (finalizer of MurmurHash3). */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Almost always true when it is called: no exit before the end. */
function isEqual(a: DataView, aFrom: number, b: DataView, bFrom: number, length: number): boolean {
  let different = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) different |= a.getInt32(aFrom + at, true) ^ b.getInt32(bFrom + at, true);
  if (at < length) different |= firstBytes(a.getInt32(aFrom + at, true) ^ b.getInt32(bFrom + at, true), length - at);
  return different === 0;
}

/** The hash that `intern` expects; the scanner computes the same one while it looks for the closing quote. */
export function hashText(view: DataView, from: number, to: number): number {
  let hash = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = hashWord(hash, view.getInt32(at, true));
  return at === to ? hash : hashWord(hash, firstBytes(view.getInt32(at, true), to - at));
}

/** The hash of a text that goes on with `word`: four bytes, or fewer and zeros at its end. */
export function hashWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** `word` with the bytes from `count` (1 … 3) on set to zero. */
export function firstBytes(word: number, count: number): number {
  return word & ((1 << (count * 8)) - 1);
}
