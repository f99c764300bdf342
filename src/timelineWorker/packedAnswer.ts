import type { Outcome } from "../core/outcome.js";
import type { Answer } from "../core/timeline/protocol.js";

type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

/** An answer whose columns share one buffer, which may leave the thread. */
export interface PackedAnswer {
  readonly outcome: Outcome<Answer>;
  readonly transfer: ArrayBuffer[];
}

/**
 * Copies all columns of a view into one buffer. The editor passes the buffers of a message on as arguments of a call, of
 * which there can be 255; beyond that it loses them silently, and a view has eight columns per row.
 */
export function packAnswer(outcome: Outcome<Answer>): PackedAnswer {
  if (!outcome.ok || !("rows" in outcome.value)) return { outcome, transfer: [] };
  const { rows, memory } = outcome.value;
  const parts: object[] = [...rows, ...memory];
  const columns = parts.flatMap((part) => Object.values(part).filter(isColumn));
  const buffer = new ArrayBuffer(columns.reduce((sum, column) => sum + roundUpTo8(column.byteLength), 0));
  let offset = 0;
  const pack = <T extends object>(part: T): T => {
    const packed = Object.entries(part).map(([key, value]: [string, unknown]) => {
      if (!isColumn(value)) return [key, value];
      const copy = placed(value, buffer, offset);
      offset += roundUpTo8(value.byteLength);
      return [key, copy];
    });
    return Object.fromEntries(packed) as T;
  };
  const value = { ...outcome.value, rows: rows.map(pack), memory: memory.map(pack) };
  return { outcome: { ok: true, value }, transfer: [buffer] };
}

function placed(column: Column, buffer: ArrayBuffer, offset: number): Column {
  const copy = viewLike(column, buffer, offset);
  copy.set(column);
  return copy;
}

function viewLike(column: Column, buffer: ArrayBuffer, offset: number): Column {
  const { length } = column;
  if (column instanceof Float64Array) return new Float64Array(buffer, offset, length);
  if (column instanceof Float32Array) return new Float32Array(buffer, offset, length);
  if (column instanceof Uint32Array) return new Uint32Array(buffer, offset, length);
  return column instanceof Int32Array ? new Int32Array(buffer, offset, length) : new Uint8Array(buffer, offset, length);
}

function isColumn(value: unknown): value is Column {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function roundUpTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
