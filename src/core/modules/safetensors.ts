import type { FileSource } from "../files.js";
import { fail, type Outcome, succeed } from "../outcome.js";
import { type ScannedTensor, scanSafetensorsHeader } from "./headerScan.js";
import { decodeUtf8, parseJsonText } from "./utf8.js";

/** One tensor as the header declares it; `startByte` and `endByte` count from the end of the header. */
export interface TensorRow {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly startByte: number;
  readonly endByte: number;
}

/** The format's own limit for the JSON text. */
const maxHeaderBytes = 100 * 1024 * 1024;
const lengthBytes = 8;

/** Bits per element of the dtypes that the format defines. */
const dtypeBits: ReadonlyMap<string, number> = new Map([
  ["BOOL", 8],
  ["U8", 8],
  ["I8", 8],
  ["F8_E5M2", 8],
  ["F8_E4M3", 8],
  ["F8_E8M0", 8],
  ["F4", 4],
  ["F6_E2M3", 6],
  ["F6_E3M2", 6],
  ["I16", 16],
  ["U16", 16],
  ["F16", 16],
  ["BF16", 16],
  ["I32", 32],
  ["U32", 32],
  ["F32", 32],
  ["I64", 64],
  ["U64", 64],
  ["F64", 64],
  ["C64", 64],
]);

/**
 * Reads the header of a safetensors file, never its data. The header is believed only if the file has the size that it
 * implies: data without holes or overlaps, each tensor as large as dtype and shape say, nothing after the last one.
 * Fails with `SAFETENSORS_HEADER_INVALID` or with the failures of `FileSource`. Rows are in file order.
 */
export async function readSafetensorsHeader(files: FileSource, path: string): Promise<Outcome<readonly TensorRow[]>> {
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.kind !== "file") return invalid(path, "It is not a file.");
  const fileBytes = info.value.sizeBytes;
  if (fileBytes < lengthBytes) return invalid(path, `It has ${fileBytes} bytes; the header's length alone takes 8.`);
  const prefix = await files.readBytes(path, 0, lengthBytes);
  if (!prefix.ok) return prefix;
  const checked = headerLength(prefix.value, fileBytes);
  if (typeof checked === "string") return invalid(path, checked);
  const header = await files.readBytes(path, lengthBytes, checked);
  if (!header.ok) return header;
  if (header.value.length !== checked) return invalid(path, "The file ends inside the header.");
  const rows = parseHeader(header.value);
  if (typeof rows === "string") return invalid(path, rows);
  const fault = layoutFault(rows, fileBytes - lengthBytes - checked);
  return fault === undefined ? succeed(rows) : invalid(path, fault);
}

function headerLength(prefix: Uint8Array, fileBytes: number): number | string {
  if (prefix.length < lengthBytes) return "The file ends inside the header's length.";
  if (decodeUtf8(prefix) === "version ") return "It is a Git LFS pointer, not the tensors themselves.";
  const view = new DataView(prefix.buffer, prefix.byteOffset, lengthBytes);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(maxHeaderBytes)) return `The header claims ${length} bytes; the format allows 100 MiB.`;
  if (Number(length) > fileBytes - lengthBytes) {
    return `The header claims ${length} bytes but the file has ${fileBytes}: it is truncated or no safetensors file.`;
  }
  return Number(length);
}

function parseHeader(bytes: Uint8Array): readonly TensorRow[] | string {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "The header is not UTF-8 text.";
  if (!text.startsWith("{")) return "The header does not begin with a brace.";
  const scanned = scanSafetensorsHeader(text);
  if (scanned?.every(isConsistent) === true && areDistinct(scanned)) return inFileOrder([...scanned]);
  const json = parseJsonText(text);
  if (json === undefined) return "The header is not valid JSON.";
  if (!isObject(json.value)) return "The header is not a JSON object.";
  const names = Object.keys(json.value);
  if (topLevelKeyCount(text) !== names.length) return "The header lists a tensor twice.";
  const rows: TensorRow[] = [];
  for (const name of names) {
    if (name === "__metadata__") continue;
    const row = tensorRow(name, json.value[name]);
    if (typeof row === "string") return row;
    rows.push(row);
  }
  return inFileOrder(rows);
}

/** Most files list their tensors in this order already. */
function inFileOrder(rows: TensorRow[]): readonly TensorRow[] {
  const order = (a: TensorRow, b: TensorRow) => a.startByte - b.startByte || a.endByte - b.endByte;
  let last: TensorRow | undefined;
  for (const row of rows) {
    if (last !== undefined && order(last, row) > 0) return rows.sort(order);
    last = row;
  }
  return rows;
}

/** Whether a row needs no words: its dtype is known and its bytes are as many as dtype and shape say. */
function isConsistent({ dtype, shape, startByte, endByte }: ScannedTensor): boolean {
  const bits = dtypeBits.get(dtype);
  if (bits === undefined || endByte < startByte) return false;
  let elements = 1;
  for (const size of shape) elements *= size;
  return Number.isSafeInteger(elements * bits) && (endByte - startByte) * 8 === elements * bits;
}

function areDistinct(rows: readonly ScannedTensor[]): boolean {
  const names = new Set<string>();
  for (const { name } of rows) names.add(name);
  return names.size === rows.length;
}

function tensorRow(name: string, value: unknown): TensorRow | string {
  const shown = shownName({ name });
  if (!isObject(value)) return `Tensor ${shown} is not described by an object.`;
  const { dtype, shape, data_offsets: offsets } = value;
  const bits = typeof dtype === "string" ? dtypeBits.get(dtype) : undefined;
  if (typeof dtype !== "string" || bits === undefined) return `Tensor ${shown} has no known dtype.`;
  if (!Array.isArray(shape) || !shape.every(isCount)) return `The shape of tensor ${shown} is not a list of counts.`;
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount)) {
    return `The data offsets of tensor ${shown} are not two counts.`;
  }
  const [startByte, endByte] = offsets as [number, number];
  const elements = shape.reduce((product: number, size: number) => product * size, 1);
  if (!Number.isSafeInteger(elements * bits)) return `Tensor ${shown} is larger than any file.`;
  if (endByte < startByte || (endByte - startByte) * 8 !== elements * bits) {
    return `Tensor ${shown} is ${dtype} of shape [${shape.slice(0, 8).join(", ")}] but has ${endByte - startByte} bytes.`;
  }
  return { name, dtype, shape, startByte, endByte };
}

/** The first hole, overlap or overrun; rows are sorted by start. */
function layoutFault(rows: readonly TensorRow[], dataBytes: number): string | undefined {
  let end = 0;
  for (const row of rows) {
    if (row.endByte > dataBytes)
      return `Tensor ${shownName(row)} ends at byte ${row.endByte} of ${dataBytes}: the file is truncated.`;
    if (row.startByte < end) return `Tensor ${shownName(row)} overlaps the one before it.`;
    if (row.startByte > end) return `There is a hole before tensor ${shownName(row)}.`;
    end = row.endByte;
  }
  return end === dataBytes ? undefined : `The tensors take ${end} bytes but the file holds ${dataBytes}.`;
}

function shownName({ name }: { readonly name: string }): string {
  return JSON.stringify(name.slice(0, 200));
}

/** Keys of the outermost object as written; `JSON.parse` silently keeps the last of equal keys. The text is valid JSON. */
function topLevelKeyCount(text: string): number {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at += 1;
      while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === ":" && depth === 1) count += 1;
  }
  return count;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function invalid(path: string, cause: string): Outcome<never> {
  return fail({
    code: "SAFETENSORS_HEADER_INVALID",
    message: `The safetensors header of ${path} cannot be used.`,
    cause,
    nextStep: "Download or save the file again.",
  });
}
