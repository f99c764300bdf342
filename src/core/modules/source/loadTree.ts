import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { type CatalogueConfig, catalogueSource } from "../families/catalogue.js";
import type { ModuleTree } from "../tree.js";
import { loadCheckpointTree } from "./checkpoint.js";
import { configTree, loadConfigTree } from "./configTree.js";
import { readTreeFile } from "./treeFile.js";

/** Where a tree is to come from. */
export type TreeRequest =
  | { readonly kind: "checkpoint"; readonly directory: string }
  | {
      readonly kind: "config-json";
      /** A config.json or the directory that holds it. */
      readonly path: string;
    }
  | { readonly kind: "catalogue"; readonly id: string; readonly config: CatalogueConfig }
  | {
      readonly kind: "tree-file";
      readonly path: string;
      /** Unpacks gzip data; core cannot. Called only for files that are gzip data. */
      readonly gunzip?: (bytes: Uint8Array) => Outcome<Uint8Array>;
    };

type TreeFileRequest = TreeRequest & { readonly kind: "tree-file" };

/** Largest tree file, packed or not. */
export const maxTreeFileBytes = 256 * 1024 * 1024;

/** Loads a module tree; fails with the problems of its source, or `TREE_FILE_TOO_LARGE`. */
export async function loadTree(files: FileSource, request: TreeRequest): Promise<Outcome<ModuleTree>> {
  switch (request.kind) {
    case "checkpoint":
      return loadCheckpointTree(files, request.directory);
    case "config-json":
      return loadConfigTree(files, request.path);
    case "catalogue":
      return catalogueTree(request.id, request.config);
    case "tree-file":
      return loadTreeFile(files, request);
  }
}

function catalogueTree(id: string, config: CatalogueConfig): Outcome<ModuleTree> {
  const tree = configTree(config, id);
  return tree.ok ? succeed({ ...tree.value, uncertain: [catalogueSource, ...tree.value.uncertain] }) : tree;
}

async function loadTreeFile(files: FileSource, request: TreeFileRequest): Promise<Outcome<ModuleTree>> {
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
