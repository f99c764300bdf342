import { constants, gunzipSync } from "node:zlib";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { maxTreeFileBytes } from "../core/modules/source/loadTree.js";

/** The beginning of a gzip file whose end is cut off, unpacked; `undefined` where that is damaged or has more than `mostBytes`. */
export function gunzipStart(start: Uint8Array, mostBytes: number): Uint8Array | undefined {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostBytes });
  } catch {
    return undefined;
  }
}

/** A whole tree file, unpacked. Fails with `TREE_FILE_NOT_GZIP` where it is damaged or has more than `maxTreeFileBytes`. */
export function gunzipTree(bytes: Uint8Array): Outcome<Uint8Array> {
  try {
    return succeed(gunzipSync(bytes, { maxOutputLength: maxTreeFileBytes }));
  } catch {
    const message = "The module tree cannot be unpacked: it is damaged or larger than 256 MiB.";
    return fail({ code: "TREE_FILE_NOT_GZIP", message, nextStep: "Write it again with the dump script." });
  }
}
