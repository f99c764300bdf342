import * as zlib from "node:zlib";
import { type FileHead, HEAD_BYTES } from "../core/timeline/import/traceFormat.js";

/** What is read of a file to see its beginning; no compression makes more of it than `MOST_INFLATED`. */
export const RAW_HEAD_BYTES = 16 * 1024;
const MOST_INFLATED = 32 * 2 ** 20;

/** How the bytes of a file are compressed, by how they begin. */
export type Compression = "gzip" | "zstd";

/** The compression that bytes begin like; `undefined` for none. */
export function compressionOf(raw: Uint8Array): Compression | undefined {
  if (raw[0] === 0x1f && raw[1] === 0x8b) return "gzip";
  return raw[0] === 0x28 && raw[1] === 0xb5 && raw[2] === 0x2f && raw[3] === 0xfd ? "zstd" : undefined;
}

/** The beginning of the text in a compressed file, of which `raw` is the beginning; `undefined` where nothing can be had of it. */
export function decompressedHead(raw: Uint8Array, compression: Compression): FileHead | undefined {
  const text = inflated(raw, compression);
  const isWhole = raw.length < RAW_HEAD_BYTES;
  if (text === undefined || (text.length === 0 && !isWhole)) return undefined;
  return { bytes: text.subarray(0, HEAD_BYTES), isWhole: isWhole && text.length <= HEAD_BYTES };
}

const { zstdDecompressSync } = zlib as {
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: object) => Uint8Array;
};

function inflated(raw: Uint8Array, compression: Compression): Uint8Array | undefined {
  try {
    if (compression === "gzip")
      return zlib.gunzipSync(raw, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: MOST_INFLATED });
    // Part of newer versions of Node than the oldest one that this runs on.
    return zstdDecompressSync?.(raw, { finishFlush: ZSTD_FLUSH, maxOutputLength: MOST_INFLATED });
  } catch {
    return undefined;
  }
}

/** `ZSTD_e_flush`: what ends early gives what it has. */
const ZSTD_FLUSH = 1;
