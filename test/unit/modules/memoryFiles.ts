import type { FileSource } from "../../../src/core/base/files.js";
import { fail, type Outcome, succeed } from "../../../src/core/base/outcome.js";

const missing = (path: string): Outcome<never> =>
  fail({ code: "FILE_MISSING", message: `${path} does not exist.`, nextStep: "Check the path." });

/** A file source over a map from path to bytes; directories are the prefixes of the paths. */
export function memoryFiles(entries: ReadonlyMap<string, Uint8Array>): FileSource {
  const childrenOf = (path: string) => {
    const inside = [...entries.keys()].filter((name) => name.startsWith(`${path}/`));
    return [...new Set(inside.map((name) => name.slice(path.length + 1).split("/")[0] ?? ""))].sort();
  };
  return {
    async info(path) {
      const bytes = entries.get(path);
      if (bytes !== undefined) return succeed({ kind: "file", sizeBytes: bytes.length });
      return childrenOf(path).length > 0 ? succeed({ kind: "directory", sizeBytes: 0 }) : missing(path);
    },
    async readBytes(path, offset, length) {
      const bytes = entries.get(path);
      return bytes === undefined ? missing(path) : succeed(bytes.subarray(offset, offset + length));
    },
    async list(path) {
      return succeed(childrenOf(path));
    },
    join: (directory, name) => `${directory}/${name}`,
  };
}

/** A valid safetensors file; every tensor is one F32 zero unless a header value says otherwise. */
export function safetensorsFile(header: Readonly<Record<string, unknown>> | string, dataBytes = 0): Uint8Array {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

/** The file of a model with these tensor names, each one F32 value. */
export function tensorFile(names: readonly string[]): Uint8Array {
  const rows = names.map((name, at) => [name, { dtype: "F32", shape: [1], data_offsets: [4 * at, 4 * at + 4] }]);
  return safetensorsFile(Object.fromEntries(rows), 4 * names.length);
}
