import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { loadTree } from "../core/modules/loadTree.js";
import type { ModuleTree } from "../core/modules/tree.js";
import { fail, type Outcome } from "../core/outcome.js";
import { fileProblem, nodeFiles } from "../node/nodeFiles.js";

interface CachedTree {
  readonly signature: string;
  readonly tree: Promise<Outcome<ModuleTree>>;
}

/** Models that stay in memory; a tree of a large model has some MiB. */
const MOST_TREES = 4;

/**
 * Module trees of checkpoint directories. A tree is loaded once for each state of its directory: names, sizes and change
 * times of the files that a tree is made from. Callers that ask while it loads share the one load.
 */
export class TreeCache {
  readonly #trees = new Map<string, CachedTree>();

  async treeOf(directory: string): Promise<Outcome<ModuleTree>> {
    let signature: string;
    try {
      signature = await signatureOf(directory);
    } catch (error) {
      return fail(fileProblem(directory, error));
    }
    const cached = this.#trees.get(directory);
    if (cached?.signature === signature) return cached.tree;
    const loading: CachedTree = { signature, tree: loadTree(nodeFiles, { kind: "checkpoint", directory }) };
    this.#trees.delete(directory);
    this.#trees.set(directory, loading);
    this.#dropOldest();
    const tree = await loading.tree;
    // A failure may pass without any of the files changing (permissions, a network disk): ask again next time.
    if (!tree.ok && this.#trees.get(directory) === loading) this.#trees.delete(directory);
    return tree;
  }

  #dropOldest(): void {
    for (const directory of this.#trees.keys()) {
      if (this.#trees.size <= MOST_TREES) return;
      this.#trees.delete(directory);
    }
  }
}

async function signatureOf(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => /\.(json|safetensors)$/.test(name)).sort();
  const parts = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(directory, name));
      return `${name}:${size}:${mtimeMs}`;
    }),
  );
  return parts.join("\n");
}
