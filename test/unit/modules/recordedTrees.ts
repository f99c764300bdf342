import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readTreeFile } from "../../../src/core/modules/source/treeFile.js";
import type { ModuleTree } from "../../../src/core/modules/tree.js";

const folder = new URL("../../fixtures/modules/", import.meta.url);

/** One recorded run of the framework's matcher. */
export interface RecordedMatch {
  readonly plan: readonly string[];
  readonly names?: readonly string[];
  readonly depth?: number;
  readonly raises?: string;
  readonly message?: string;
}

/** Names of the recorded module trees, without extension. */
export const recordedTreeNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith(".json.gz"))
  .map((file) => file.replace(".json.gz", ""));

/** A recorded tree with what the framework selected on it. */
export function recordedTree(name: string): { readonly tree: ModuleTree; readonly matches: readonly RecordedMatch[] } {
  const bytes = gunzipSync(readFileSync(new URL(`${name}.json.gz`, folder)));
  const tree = readTreeFile(bytes);
  if (!tree.ok) throw new Error(tree.problem.message);
  return { tree: tree.value, matches: JSON.parse(bytes.toString("utf8")).matches };
}
