import type { FileSource } from "../files.js";
import { fail, type Outcome } from "../outcome.js";
import { loadCheckpointTree } from "./checkpoint.js";
import type { ModuleTree } from "./tree.js";
import { readTreeFile } from "./treeFile.js";

/** Where a tree is to come from. */
export type TreeRequest =
  | { readonly kind: "checkpoint"; readonly directory: string }
  | {
      readonly kind: "tree-file";
      readonly path: string;
      /** Unpacks gzip data; core cannot. Called only for files that are gzip data. */
      readonly gunzip?: (bytes: Uint8Array) => Outcome<Uint8Array>;
    };

/** Largest tree file, packed or not. */
export const maxTreeFileBytes = 256 * 1024 * 1024;

/** Loads a module tree; fails with the problems of its source, or `TREE_FILE_TOO_LARGE`. */
export async function loadTree(files: FileSource, request: TreeRequest): Promise<Outcome<ModuleTree>> {
  if (request.kind === "checkpoint") return loadCheckpointTree(files, request.directory);
  const info = await files.info(request.path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxTreeFileBytes) {
    const message = `The module tree ${request.path} is larger than 256 MiB.`;
    return fail({ code: "TREE_FILE_TOO_LARGE", message, nextStep: "Write it again with the dump script." });
  }
  const bytes = await files.readBytes(request.path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const isGzip = bytes.value[0] === 0x1f && bytes.value[1] === 0x8b;
  if (!isGzip || request.gunzip === undefined) return readTreeFile(bytes.value);
  const unpacked = request.gunzip(bytes.value);
  return unpacked.ok ? readTreeFile(unpacked.value) : unpacked;
}
