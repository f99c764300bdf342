import { decodeUtf8, parseJsonText } from "../../base/utf8.js";
import { ByteScanner, byteOf } from "./byteScanner.js";
import { CountList, codesText, type NameSpans } from "./nameSpans.js";
import { dtypeBits } from "./safetensorsDtypes.js";

/*
 * Fast readers for the two large JSON texts of a checkpoint as programs write them. They take only texts that a JSON parser reads
 * to the same values, and leave everything else to it: strings with escapes or other than ASCII, names that begin with a digit
 * (objects list numbers first), numbers that are no plain counts, members that nobody expects. A parser spends most of its time on
 * one object with 100,000 keys, which is not needed here: not even the names become texts.
 */

/** The tensors of a safetensors header: their names, and where their data begin and end. */
export interface ScannedHeader extends NameSpans {
  readonly startBytes: Float64Array;
  readonly endBytes: Float64Array;
}

/**
 * The tensors of a safetensors header in the order of the text, or `undefined` if the text needs a parser or some tensor does not
 * have the bytes that its dtype and shape say. Equal names are the caller's to find.
 */
export function scanSafetensorsHeader(bytes: Uint8Array): ScannedHeader | undefined {
  const scanner = new ByteScanner(bytes);
  const spans = new SpanList(bytes);
  const tensor = new TensorReader(scanner);
  let offsets = new Float64Array(2048);
  let hasMetadata = false;
  if (!scanner.take(byteOf.openBrace)) return undefined;
  do {
    if (!scanner.key() || startsWithDigit(scanner)) return undefined;
    if (scanner.textIs("__metadata__")) {
      if (hasMetadata || !skipTexts(scanner)) return undefined;
      hasMetadata = true;
      continue;
    }
    spans.add(scanner);
    if (!tensor.read()) return undefined;
    const at = 2 * (spans.count - 1);
    if (at === offsets.length) offsets = larger(offsets);
    offsets[at] = tensor.startByte;
    offsets[at + 1] = tensor.endByte;
  } while (scanner.take(byteOf.comma));
  if (!scanner.take(byteOf.closeBrace) || !scanner.isAtEnd()) return undefined;
  const { count } = spans;
  const startBytes = new Float64Array(count);
  const endBytes = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    startBytes[at] = offsets[2 * at] ?? 0;
    endBytes[at] = offsets[2 * at + 1] ?? 0;
  }
  return { ...spans.spans(), startBytes, endBytes };
}

/** The map of an index: names, and the shard of each. A name that stands twice counts as it stands last. */
export interface ScannedMap extends NameSpans {
  readonly shards: readonly string[];
  /** Position in `shards`, by number of the name. */
  readonly shardOf: Int32Array;
}

/** The member `weight_map` of a checkpoint's index, or `undefined` if the text needs a parser. */
export function scanWeightMap(bytes: Uint8Array): ScannedMap | undefined {
  const start = positionOf(bytes, '"weight_map"');
  if (start < 0) return undefined;
  const scanner = new ByteScanner(bytes, start);
  const spans = new SpanList(bytes);
  const shardOf = new CountList();
  const shards = new Map<string, number>();
  let lastStart = 0;
  let lastEnd = 0;
  let shard = 0;
  if (!scanner.key() || !scanner.take(byteOf.openBrace)) return undefined;
  do {
    if (!scanner.key() || startsWithDigit(scanner)) return undefined;
    spans.add(scanner);
    if (!scanner.text()) return undefined;
    if (lastEnd === 0 || !scanner.textEquals(lastStart, lastEnd)) {
      lastStart = scanner.textStart;
      lastEnd = scanner.textEnd;
      const name = codesText(bytes, lastStart, lastEnd);
      shard = shards.get(name) ?? shards.size;
      shards.set(name, shard);
    }
    shardOf.push(shard);
  } while (scanner.take(byteOf.comma));
  if (!scanner.take(byteOf.closeBrace)) return undefined;
  if (!isOutermost(bytes.subarray(0, start), bytes.subarray(scanner.position))) return undefined;
  return { ...spans.spans(), shards: [...shards.keys()], shardOf: shardOf.values };
}

const mark = "offload-lens-mark";
/** Whether what surrounds the map is valid JSON in which it is the one that counts: a parser finds the mark in its place. */
function isOutermost(before: Uint8Array, after: Uint8Array): boolean {
  const texts = [decodeUtf8(before), decodeUtf8(after)];
  if (texts.includes(undefined)) return false;
  const rest = parseJsonText(`${texts[0]}"weight_map":"${mark}"${texts[1]}`)?.value;
  return typeof rest === "object" && rest !== null && "weight_map" in rest && rest.weight_map === mark;
}

class SpanList {
  readonly #starts = new CountList();
  readonly #ends = new CountList();

  constructor(private readonly codes: Uint8Array) {}

  get count(): number {
    return this.#starts.length;
  }

  /** The text that the scanner read last. */
  add(scanner: ByteScanner): void {
    this.#starts.push(scanner.textStart);
    this.#ends.push(scanner.textEnd);
  }

  spans(): NameSpans {
    return { codes: this.codes, starts: this.#starts.values, ends: this.#ends.values, count: this.count };
  }
}

/** Reads what a header says of one tensor: dtype, shape and offsets, in any order, each once. */
class TensorReader {
  startByte = 0;
  endByte = 0;
  #elements = 0;
  #bits = 0;
  /** Where the dtype that was looked up last stands; most tensors of a file have the same. */
  #dtypeStart = 0;
  #dtypeEnd = 0;

  constructor(private readonly scanner: ByteScanner) {}

  /** False where a parser has to find the words, or the sizes do not fit. */
  read(): boolean {
    const { scanner } = this;
    let seen = 0;
    if (!scanner.take(byteOf.openBrace)) return false;
    do {
      if (!scanner.key()) return false;
      const member = scanner.textIs("dtype") ? 1 : scanner.textIs("shape") ? 2 : scanner.textIs("data_offsets") ? 4 : 8;
      if (member === 8 || (seen & member) !== 0) return false;
      seen |= member;
      if (!(member === 1 ? this.#dtype() : member === 2 ? this.#shape() : this.#offsets())) return false;
    } while (scanner.take(byteOf.comma));
    if (seen !== 7 || !scanner.take(byteOf.closeBrace)) return false;
    const bits = this.#elements * this.#bits;
    return Number.isSafeInteger(bits) && (this.endByte - this.startByte) * 8 === bits;
  }

  #dtype(): boolean {
    const { scanner } = this;
    if (!scanner.text()) return false;
    if (this.#dtypeEnd > 0 && scanner.textEquals(this.#dtypeStart, this.#dtypeEnd)) return true;
    const bits = dtypeBits.get(codesText(scanner.bytes, scanner.textStart, scanner.textEnd));
    this.#dtypeStart = scanner.textStart;
    this.#dtypeEnd = scanner.textEnd;
    this.#bits = bits ?? 0;
    return bits !== undefined;
  }

  #shape(): boolean {
    const { scanner } = this;
    this.#elements = 1;
    if (!scanner.take(byteOf.openBracket)) return false;
    if (scanner.take(byteOf.closeBracket)) return true;
    do {
      if (!scanner.count()) return false;
      this.#elements *= scanner.lastCount;
    } while (scanner.take(byteOf.comma));
    return scanner.take(byteOf.closeBracket);
  }

  #offsets(): boolean {
    const { scanner } = this;
    if (!scanner.take(byteOf.openBracket) || !scanner.count()) return false;
    this.startByte = scanner.lastCount;
    if (!scanner.take(byteOf.comma) || !scanner.count()) return false;
    this.endByte = scanner.lastCount;
    return this.endByte >= this.startByte && scanner.take(byteOf.closeBracket);
  }
}

/** Passes over an object whose values are texts. */
function skipTexts(scanner: ByteScanner): boolean {
  if (!scanner.take(byteOf.openBrace)) return false;
  if (scanner.take(byteOf.closeBrace)) return true;
  do {
    if (!scanner.key() || !scanner.text()) return false;
  } while (scanner.take(byteOf.comma));
  return scanner.take(byteOf.closeBrace);
}

function startsWithDigit({ bytes, textStart }: ByteScanner): boolean {
  const code = bytes[textStart] ?? 0;
  return code >= byteOf.zero && code <= byteOf.nine;
}

function positionOf(bytes: Uint8Array, text: string): number {
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < text.length && bytes[at + same] === text.charCodeAt(same)) same += 1;
    if (same === text.length) return at;
  }
  return -1;
}

function larger(values: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}
