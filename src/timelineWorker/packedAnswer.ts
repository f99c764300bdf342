import type { Outcome } from "../core/base/outcome.js";
import type { Packed } from "../core/channel.js";

type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint8Array;

/** Answers to views and searches are made afresh; other answers have no columns, or keep them. */
export function packAnswer<T extends object | null>(outcome: Outcome<T>): Packed<Outcome<T>> {
  return outcome.ok && outcome.value !== null && ("rows" in outcome.value || "marks" in outcome.value)
    ? packColumns(outcome)
    : { value: outcome, transfer: [] };
}

/**
 * Copies all columns of a value into one buffer. The editor passes the buffers of a message on as arguments of a call, of
 * which there can be 255; beyond that it loses them silently, and a view has eight columns per row.
 */
export function packColumns<T>(value: T): Packed<T> {
  const columns: Column[] = [];
  replaceColumns(value, (column) => {
    columns.push(column);
    return column;
  });
  const buffer = new ArrayBuffer(columns.reduce((sum, column) => sum + roundUpTo8(column.byteLength), 0));
  let offset = 0;
  const packed = replaceColumns(value, (column) => {
    const copy = placed(column, buffer, offset);
    offset += roundUpTo8(column.byteLength);
    return copy;
  });
  return { value: packed as T, transfer: [buffer] };
}

/** The same value with other columns; lists of texts and numbers stay as they are. */
function replaceColumns(value: unknown, replace: (column: Column) => Column): unknown {
  if (isColumn(value)) return replace(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const isPlain = value.every((element) => typeof element !== "object" || element === null);
    return isPlain ? value : value.map((element) => replaceColumns(element, replace));
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceColumns(member, replace)]));
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
