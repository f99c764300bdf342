import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { loadTree, type TreeRequest } from "../../core/modules/source/loadTree.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { fileProblem, nodeFiles } from "../../node/nodeFiles.js";
import { ExactTreeStore } from "./exactTreeStore.js";
import { ExactTrees } from "./exactTrees.js";
import type { FoundModel } from "./findModel.js";

interface CachedTree {
  readonly signature: string;
  readonly tree: Promise<Outcome<ModuleTree>>;
}

/** Models that stay in memory; a tree of a large model has some MiB. */
const MOST_TREES = 4;

/**
 * Module trees by their sources. A tree is loaded once for each state of its files: names, sizes and change times of those that it
 * is made from. Callers that ask while it loads share the one load. A tree that Python built goes before all others of its model.
 */
export class TreeCache {
  readonly exactTrees: ExactTrees;
  readonly #trees = new Map<string, CachedTree>();

  /** `dumpDirectory`: where trees from Python are kept between sessions. */
  constructor(readonly dumpDirectory: string) {
    this.exactTrees = new ExactTrees(new ExactTreeStore(dumpDirectory));
  }

  /** Problems come as they may be shown. */
  async treeOf({ request, hide }: Pick<FoundModel, "request" | "hide">): Promise<Outcome<ModuleTree>> {
    const tree = await this.#treeOf(request);
    return tree.ok ? tree : fail(hide(tree.problem));
  }

  async #treeOf(request: TreeRequest): Promise<Outcome<ModuleTree>> {
    const exact = await this.exactTrees.treeOf(request);
    if (exact !== undefined) return succeed(exact);
    const place = placeOf(request);
    const key = `${request.kind}:${place}`;
    let signature: string;
    try {
      signature = await signatureOf(request);
    } catch (error) {
      return fail(fileProblem(place, error));
    }
    const cached = this.#trees.get(key);
    if (cached?.signature === signature) return cached.tree;
    const loading: CachedTree = { signature, tree: loadTree(nodeFiles, request) };
    this.#trees.delete(key);
    this.#trees.set(key, loading);
    this.#dropOldest();
    const tree = await loading.tree;
    // A failure may pass without any of the files changing (permissions, a network disk): ask again next time.
    if (!tree.ok && this.#trees.get(key) === loading) this.#trees.delete(key);
    return tree;
  }

  #dropOldest(): void {
    for (const key of this.#trees.keys()) {
      if (this.#trees.size <= MOST_TREES) return;
      this.#trees.delete(key);
    }
  }
}

/** The directory or file of a request, the id of one that needs neither. */
function placeOf(request: TreeRequest): string {
  if (request.kind === "catalogue") return request.id;
  return request.kind === "checkpoint" ? request.directory : request.path;
}

async function signatureOf(request: TreeRequest): Promise<string> {
  if (request.kind === "catalogue") return "";
  if (request.kind !== "checkpoint") return stateOf(request.path);
  const names = (await readdir(request.directory)).filter((name) => /\.(json|safetensors)$/.test(name)).sort();
  const parts = await Promise.all(names.map(async (name) => `${name}:${await stateOf(join(request.directory, name))}`));
  return parts.join("\n");
}

async function stateOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size}:${mtimeMs}`;
}
