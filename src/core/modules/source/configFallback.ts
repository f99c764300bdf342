import type { FileSource } from "../../base/files.js";
import type { Outcome, Problem } from "../../base/outcome.js";
import { succeed } from "../../base/outcome.js";
import type { ModuleTree } from "../tree.js";
import { loadConfigTree } from "./configTree.js";

const pointerMark = "version https://git-lfs";
/** How many files are looked at for pointers; a checkout has either all of its weights or none. */
const maxLooked = 4;

/**
 * The tree by config.json alone, for a directory whose weights are not all there: a shard is missing, or Git LFS pointers stand for
 * them. `problem` is what reading the weights said. Undefined where it said something else, or where config.json does not do.
 */
export async function treeWithoutWeights(
  files: FileSource,
  directory: string,
  entries: readonly string[],
  problem: Problem,
): Promise<Outcome<ModuleTree> | undefined> {
  if (!entries.includes("config.json")) return undefined;
  const why = await whyIncomplete(files, directory, entries, problem);
  if (why === undefined) return undefined;
  const tree = await loadConfigTree(files, files.join(directory, "config.json"));
  if (!tree.ok) return undefined;
  const note = `${why} The tree is built from config.json alone.`;
  const { value } = tree;
  return succeed({ ...value, uncertain: [note, ...value.uncertain], warnings: [note, ...(value.warnings ?? [])] });
}

async function whyIncomplete(
  files: FileSource,
  directory: string,
  entries: readonly string[],
  problem: Problem,
): Promise<string | undefined> {
  if (problem.code === "CHECKPOINT_SHARD_MISSING") return problem.message;
  if (problem.code !== "SAFETENSORS_HEADER_INVALID" && problem.code !== "CHECKPOINT_INDEX_INVALID") return undefined;
  const weights = entries.filter((name) => /\.safetensors(?:\.index\.json)?$/.test(name)).slice(0, maxLooked);
  for (const name of weights) {
    const start = await files.readBytes(files.join(directory, name), 0, pointerMark.length);
    if (start.ok && String.fromCharCode(...start.value) === pointerMark) {
      return `The weights are Git LFS pointers (${name}), not the files themselves: run git lfs pull to get those.`;
    }
  }
  return undefined;
}
