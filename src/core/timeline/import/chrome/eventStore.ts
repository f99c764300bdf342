import type { EventColumns } from "../../columns/columns.js";
import { isCopy } from "../../columns/laneWork.js";
import { sortByKey } from "../../columns/stableOrder.js";
import { runsOnDevice } from "../../metrics/metrics.js";
import { mainGroup } from "./timeGroups.js";

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK - 1;

/** Far above what a worker of 4 GB could hold the columns of; bounds what a hostile file can make us allocate. */
export const MAX_EVENTS = 2 ** 26;

interface Chunk {
  startNs: Float64Array;
  durationNs: Float64Array;
  bytes: Float64Array;
  lane: Uint16Array;
  name: Uint32Array;
  correlation: Uint32Array;
  kind: Uint8Array;
}

function newChunk(): Chunk {
  return {
    startNs: new Float64Array(CHUNK),
    durationNs: new Float64Array(CHUNK),
    bytes: new Float64Array(CHUNK),
    lane: new Uint16Array(CHUNK),
    name: new Uint32Array(CHUNK),
    correlation: new Uint32Array(CHUNK),
    kind: new Uint8Array(CHUNK),
  };
}

const NO_CHUNK: Chunk = {
  startNs: new Float64Array(),
  durationNs: new Float64Array(),
  bytes: new Float64Array(),
  lane: new Uint16Array(),
  name: new Uint32Array(),
  correlation: new Uint32Array(),
  kind: new Uint8Array(),
};

/**
 * Events in the order of the file, in chunks: growing never copies, and sorting releases each column as soon as it has been
 * brought into order. 35 bytes per event.
 */
export class EventStore {
  length = 0;
  private readonly chunks: Chunk[] = [];
  private last: Chunk = NO_CHUNK;

  /** Adds an event and returns its number. `durationNs` may be set later. */
  add(
    startNs: number,
    durationNs: number,
    lane: number,
    name: number,
    kind: number,
    bytes: number,
    correlation: number,
  ): number {
    const number = this.length++;
    const at = number & CHUNK_MASK;
    if (at === 0) {
      this.last = newChunk();
      this.chunks.push(this.last);
    }
    const chunk = this.last;
    chunk.startNs[at] = startNs;
    chunk.durationNs[at] = durationNs;
    chunk.lane[at] = lane;
    chunk.name[at] = name;
    chunk.kind[at] = kind;
    if (bytes !== 0) chunk.bytes[at] = bytes;
    if (correlation !== 0) chunk.correlation[at] = correlation;
    return number;
  }

  setDuration(event: number, durationNs: number): void {
    const chunk = this.chunks[event >>> CHUNK_BITS];
    if (chunk !== undefined) chunk.durationNs[event & CHUNK_MASK] = durationNs;
  }

  startOf(event: number): number {
    return this.chunks[event >>> CHUNK_BITS]?.startNs[event & CHUNK_MASK] ?? 0;
  }

  nameOf(event: number): number {
    return this.chunks[event >>> CHUNK_BITS]?.name[event & CHUNK_MASK] ?? 0;
  }

  private durationOf(event: number): number {
    return this.chunks[event >>> CHUNK_BITS]?.durationNs[event & CHUNK_MASK] ?? 0;
  }

  private kindOf(event: number): number {
    return this.chunks[event >>> CHUNK_BITS]?.kind[event & CHUNK_MASK] ?? 0;
  }

  /** Moves events to another lane and kind; both tables hold the new value per old lane or `undefined`. */
  reclassify(change: (lane: number, name: number, kind: number) => { lane: number; kind: number } | undefined): void {
    for (let event = 0; event < this.length; event++) {
      const chunk = this.chunks[event >>> CHUNK_BITS];
      if (chunk === undefined) return;
      const at = event & CHUNK_MASK;
      const changed = change(chunk.lane[at] ?? 0, chunk.name[at] ?? 0, chunk.kind[at] ?? 0);
      if (changed === undefined) continue;
      chunk.lane[at] = changed.lane;
      chunk.kind[at] = changed.kind;
      if (isCopy(changed.kind) && chunk.bytes[at] === 0) chunk.bytes[at] = Number.NaN;
    }
  }

  /**
   * The columns sorted by start (ties: longer first), times relative to the earliest start, which is `originNs`; the latter is
   * on the clock of `add`. Only events of `kept` (all, where it is absent) that are one recording with the rest stay;
   * `drop` hears of the others, with `isZero` where they stand at `zeroNs`. Empties the store.
   */
  toColumns(
    kept: Uint32Array | undefined,
    zeroNs: number,
    drop: (name: number, isZero: boolean) => void,
  ): { readonly events: EventColumns; readonly originNs: number } {
    const all = joined(this.release("startNs", NO_FLOATS), this.length);
    const numbers = kept ?? everyNumber(this.length);
    const earliestNs = takeEarliest(all, numbers);
    let order = sortByKey(numbers, all);
    this.longerFirst(order, all);
    let startNs = arrange(all, order);
    const sorted = order;
    const group = mainGroup(
      {
        startNs,
        durationNs: (at) => this.durationOf(sorted[at] ?? 0),
        isWork: (at) => runsOnDevice(this.kindOf(sorted[at] ?? 0)),
      },
      zeroNs - earliestNs,
    );
    const shiftNs = startNs[group.from] ?? 0;
    if (group.to - group.from < order.length) {
      for (let at = 0; at < order.length; at++)
        if (at < group.from || at >= group.to) drop(this.nameOf(order[at] ?? 0), startNs[at] === zeroNs - earliestNs);
      order = order.subarray(group.from, group.to);
      startNs = startNs.slice(group.from, group.to);
      for (let at = 0; at < startNs.length; at++) startNs[at] = (startNs[at] ?? 0) - shiftNs;
    }
    const count = order.length;
    const events: EventColumns = {
      startNs,
      durationNs: gatherFloats(this.release("durationNs", NO_FLOATS), order),
      lane: gatherShorts(this.release("lane", NO_SHORTS), order),
      name: gatherWords(this.release("name", NO_WORDS), order),
      layer: new Int32Array(count).fill(-1),
      bytes: gatherFloats(this.release("bytes", NO_FLOATS), order),
      kind: gatherOctets(this.release("kind", NO_OCTETS), order),
      dependsOn: new Int32Array(count).fill(-1),
      correlation: gatherWords(this.release("correlation", NO_WORDS), order),
    };
    this.chunks.length = 0;
    this.length = 0;
    return { events, originNs: earliestNs + shiftNs };
  }

  /** Puts events with the same start into the order that the columns promise. Runs are short. */
  private longerFirst(order: Uint32Array, startNs: Float64Array): void {
    let from = 0;
    for (let at = 1; at <= order.length; at++) {
      if (at < order.length && startNs[order[at] ?? 0] === startNs[order[from] ?? 0]) continue;
      if (at - from > 1) this.sortRun(order, from, at);
      from = at;
    }
  }

  private sortRun(order: Uint32Array, from: number, to: number): void {
    if (to - from === 2) {
      const [first, second] = [order[from] ?? 0, order[from + 1] ?? 0];
      if (this.durationOf(first) >= this.durationOf(second)) return;
      order[from] = second;
      order[from + 1] = first;
      return;
    }
    const run = Array.from(order.subarray(from, to));
    run.sort((a, b) => this.durationOf(b) - this.durationOf(a) || a - b);
    order.set(run, from);
  }

  /** The pieces of a column, which the store then holds no more. */
  private release<K extends keyof Chunk>(column: K, empty: Chunk[K]): Chunk[K][] {
    return this.chunks.map((chunk) => {
      const piece = chunk[column];
      chunk[column] = empty;
      return piece;
    });
  }
}

/* One function per type of column: a loop that sees several is several times slower. */

function gatherFloats(pieces: readonly Float64Array[], order: Uint32Array): Float64Array {
  const target = new Float64Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const event = order[at] ?? 0;
    target[at] = pieces[event >>> CHUNK_BITS]?.[event & CHUNK_MASK] ?? 0;
  }
  return target;
}

function joined(pieces: readonly Float64Array[], count: number): Float64Array {
  const target = new Float64Array(count);
  for (const [number, piece] of pieces.entries()) {
    const from = number * CHUNK;
    target.set(count - from < CHUNK ? piece.subarray(0, count - from) : piece, from);
  }
  return target;
}

function gatherWords(pieces: readonly Uint32Array[], order: Uint32Array): Uint32Array {
  const target = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const event = order[at] ?? 0;
    target[at] = pieces[event >>> CHUNK_BITS]?.[event & CHUNK_MASK] ?? 0;
  }
  return target;
}

function gatherShorts(pieces: readonly Uint16Array[], order: Uint32Array): Uint32Array {
  const target = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const event = order[at] ?? 0;
    target[at] = pieces[event >>> CHUNK_BITS]?.[event & CHUNK_MASK] ?? 0;
  }
  return target;
}

function gatherOctets(pieces: readonly Uint8Array[], order: Uint32Array): Uint8Array {
  const target = new Uint8Array(order.length);
  for (let at = 0; at < order.length; at++) {
    const event = order[at] ?? 0;
    target[at] = pieces[event >>> CHUNK_BITS]?.[event & CHUNK_MASK] ?? 0;
  }
  return target;
}

function arrange(column: Float64Array, order: Uint32Array): Float64Array {
  const target = new Float64Array(order.length);
  for (let at = 0; at < target.length; at++) target[at] = column[order[at] ?? 0] ?? 0;
  return target;
}

function everyNumber(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let event = 0; event < count; event++) numbers[event] = event;
  return numbers;
}

/** The earliest start of the events in `numbers`, which is taken off all of them; what others have becomes 0. */
function takeEarliest(startNs: Float64Array, numbers: Uint32Array): number {
  let earliestNs = numbers.length === 0 ? 0 : Infinity;
  for (let at = 0; at < numbers.length; at++) {
    const start = startNs[numbers[at] ?? 0] ?? 0;
    if (start < earliestNs) earliestNs = start;
  }
  const all = numbers.length === startNs.length ? startNs : startNs.slice();
  if (all !== startNs) startNs.fill(0);
  for (let at = 0; at < numbers.length; at++) {
    const event = numbers[at] ?? 0;
    startNs[event] = (all[event] ?? 0) - earliestNs;
  }
  return earliestNs;
}

const NO_FLOATS = new Float64Array();
const NO_WORDS = new Uint32Array();
const NO_SHORTS = new Uint16Array();
const NO_OCTETS = new Uint8Array();
