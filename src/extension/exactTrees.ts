import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TreeRequest } from "../core/modules/loadTree.js";
import type { ModuleTree } from "../core/modules/tree.js";
import { nodeFiles } from "../node/nodeFiles.js";

/** Trees that stay in memory; one of a large model has some MiB. */
const MOST_TREES = 4;

/**
 * Trees that Python built in this session, by the config.json that they were built from. One holds until the text of its file
 * changes, or a newer one takes its place.
 */
export class ExactTrees {
  readonly #trees = new Map<string, { readonly configSha256: string; readonly tree: ModuleTree }>();

  /** `configSha256` is that of the text from which the tree was built, read before the build began. */
  keep(config: string, configSha256: string, tree: ModuleTree): void {
    this.#trees.delete(config);
    this.#trees.set(config, { configSha256, tree });
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= MOST_TREES) return;
      this.#trees.delete(oldest);
    }
  }

  /** The tree that holds for a model now, if Python has built one. */
  async treeOf(request: TreeRequest): Promise<ModuleTree | undefined> {
    if (this.#trees.size === 0) return undefined;
    const config = await configFileOf(request);
    const kept = config === undefined ? undefined : this.#trees.get(config);
    if (config === undefined || kept === undefined) return undefined;
    if ((await sha256OfFile(config)) === kept.configSha256) return kept.tree;
    if (this.#trees.get(config) === kept) this.#trees.delete(config);
    return undefined;
  }
}

/** The config.json behind a request; `undefined` where there is none on this machine. */
export async function configFileOf(request: TreeRequest): Promise<string | undefined> {
  if (request.kind === "catalogue" || request.kind === "tree-file") return undefined;
  const place = request.kind === "checkpoint" ? request.directory : request.path;
  const found = await nodeFiles.info(place);
  if (!found.ok) return undefined;
  if (found.value.kind === "file") return place;
  const inside = join(place, "config.json");
  const info = await nodeFiles.info(inside);
  return info.ok && info.value.kind === "file" ? inside : undefined;
}

/** SHA-256 of a file in lower-case hex; `undefined` if it cannot be read. */
export async function sha256OfFile(path: string): Promise<string | undefined> {
  try {
    return createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  } catch {
    return undefined;
  }
}
