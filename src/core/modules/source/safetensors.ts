import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { decodeUtf8, parseJsonText } from "../../base/utf8.js";
import { type ScannedHeader, scanSafetensorsHeader } from "./headerScan.js";
import { type NameSpans, spansOf, spanText } from "./nameSpans.js";
import { dtypeBits } from "./safetensorsDtypes.js";

/** The format's own limit for the JSON text. */
const maxHeaderBytes = 100 * 1024 * 1024;
const lengthBytes = 8;

/**
 * Reads the header of a safetensors file, never its data. The header is believed only if the file has the size that it
 * implies: data without holes or overlaps, each tensor as large as dtype and shape say, nothing after the last one.
 * Gives the names of the tensors in the order of the header; that they differ is checked for unusual headers only. Fails with
 * `SAFETENSORS_HEADER_INVALID` or with the failures of `FileSource`.
 */
export async function readSafetensorsHeader(files: FileSource, path: string): Promise<Outcome<NameSpans>> {
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
  const tensors = scanSafetensorsHeader(header.value) ?? parseHeader(header.value);
  if (typeof tensors === "string") return invalid(path, tensors);
  const fault = layoutFault(tensors, fileBytes - lengthBytes - checked);
  return fault === undefined ? succeed(tensors) : invalid(path, fault);
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

function parseHeader(bytes: Uint8Array): ScannedHeader | string {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "The header is not UTF-8 text.";
  if (!text.startsWith("{")) return "The header does not begin with a brace.";
  const json = parseJsonText(text);
  if (json === undefined) return "The header is not valid JSON.";
  if (!isObject(json.value)) return "The header is not a JSON object.";
  const keys = Object.keys(json.value);
  if (topLevelKeyCount(text) !== keys.length) return headerListsTwice;
  const names = keys.filter((name) => name !== "__metadata__");
  const startBytes = new Float64Array(names.length);
  const endBytes = new Float64Array(names.length);
  for (const [at, name] of names.entries()) {
    const place = tensorPlace(name, json.value[name]);
    if (typeof place === "string") return place;
    [startBytes[at], endBytes[at]] = place;
  }
  return { ...spansOf(names), startBytes, endBytes };
}

/** What is wrong with a header that names a tensor twice. */
export const headerListsTwice = "The header lists a tensor twice.";

/** Where the data of a tensor begin and end, or what is wrong with its description. */
function tensorPlace(name: string, value: unknown): readonly [number, number] | string {
  const shown = shownName(name);
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
  return [startByte, endByte];
}

/** The first hole, overlap or overrun. */
function layoutFault(tensors: ScannedHeader, dataBytes: number): string | undefined {
  const { startBytes, endBytes } = tensors;
  const named = (at: number) => shownName(spanText(tensors, at));
  let end = 0;
  for (const at of fileOrder(tensors)) {
    const start = startBytes[at] ?? 0;
    const next = endBytes[at] ?? 0;
    if (next > dataBytes) return `Tensor ${named(at)} ends at byte ${next} of ${dataBytes}: the file is truncated.`;
    if (start < end) return `Tensor ${named(at)} overlaps the one before it.`;
    if (start > end) return `There is a hole before tensor ${named(at)}.`;
    end = next;
  }
  return end === dataBytes ? undefined : `The tensors take ${end} bytes but the file holds ${dataBytes}.`;
}

/** The numbers of the tensors as their data lie in the file; most headers list them in this order already. */
function fileOrder({ count, startBytes, endBytes }: ScannedHeader): Int32Array {
  const order = new Int32Array(count);
  const compare = (a: number, b: number) =>
    (startBytes[a] ?? 0) - (startBytes[b] ?? 0) || (endBytes[a] ?? 0) - (endBytes[b] ?? 0);
  let isOrdered = true;
  for (let at = 0; at < count; at += 1) {
    order[at] = at;
    if (at > 0 && compare(at - 1, at) > 0) isOrdered = false;
  }
  return isOrdered ? order : order.sort(compare);
}

function shownName(name: string): string {
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
  return fail(headerInvalid(path, cause));
}

/** The problem of a file whose header cannot be used. */
export function headerInvalid(path: string, cause: string): Problem {
  return {
    code: "SAFETENSORS_HEADER_INVALID",
    message: `The safetensors header of ${path} cannot be used.`,
    cause,
    nextStep: "Download or save the file again.",
  };
}
