import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TreeRequest } from "../../core/modules/source/loadTree.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import type { ExactTreeStore } from "./exactTreeStore.js";

/** Trees that stay in memory; one of a large model has some MiB. */
const MOST_TREES = 4;

interface KeptTree {
  readonly configSha256: string;
  readonly tree: ModuleTree;
}

/**
 * Trees that Python built, by the config.json that they were built from. One holds until the text of its file changes, or a newer one
 * takes its place; with a store, also in later sessions.
 */
export class ExactTrees {
  readonly #trees = new Map<string, KeptTree>();
  /** Files that the store was asked about in this session. */
  readonly #recalled = new Set<string>();

  constructor(private readonly store?: ExactTreeStore) {}

  /**
   * `configSha256` is that of the text from which the tree was built, read before the build began; `dump` the file in which the tree
   * lies for later.
   */
  async keep(config: string, configSha256: string, tree: ModuleTree, dump?: string): Promise<void> {
    this.#recalled.add(config);
    this.#put(config, { configSha256, tree });
    if (dump !== undefined) await this.store?.note({ config, configSha256, dump });
  }

  /** The tree that holds for a model now, if Python has built one. */
  async treeOf(request: TreeRequest): Promise<ModuleTree | undefined> {
    const config = await configFileOf(request);
    if (config === undefined) return undefined;
    const kept = this.#trees.get(config) ?? (await this.#recall(config));
    if (kept === undefined) return undefined;
    if ((await sha256OfFile(config)) === kept.configSha256) return kept.tree;
    if (this.#trees.get(config) === kept) this.#trees.delete(config);
    await this.store?.forget(config);
    return undefined;
  }

  async #recall(config: string): Promise<KeptTree | undefined> {
    if (this.store === undefined || this.#recalled.has(config)) return undefined;
    const kept = await this.store.recall(config);
    if (this.#recalled.has(config)) return this.#trees.get(config);
    this.#recalled.add(config);
    if (kept !== undefined) this.#put(config, kept);
    return kept;
  }

  #put(config: string, kept: KeptTree): void {
    this.#trees.delete(config);
    this.#trees.set(config, kept);
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= MOST_TREES) return;
      this.#trees.delete(oldest);
      this.#recalled.delete(oldest);
    }
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
