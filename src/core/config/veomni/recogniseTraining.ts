import type { ConfigDocument } from "../document/configDocument.js";
import {
  asMapping,
  type ConfigNode,
  entryOf,
  followAlias,
  isDeferred,
  type MappingNode,
  nodeAt,
  scalarOf,
} from "../document/configNode.js";
import { recognise } from "../verl/recognise.js";
import { pinOf } from "./detectLayout.js";
import { fieldAt } from "./fields/fieldTable.js";
import { droppedKeys, flatOnlyKeys, misnamedKeys, unmergedKeys, verlSpellings } from "./fields/strayKeys.js";
import { layoutIds } from "./layout.js";

const treePath = /(?:^|\/)configs\/(?:text|multimodal|dit)\/.*\.ya?ml$/;
const multiSourcePath = /(?:^|\/)configs\/multimodal\/data\//;
const savedArguments = /(?:^|\/)veomni_cli\.ya?ml$/;
const blockNames = ["model", "data", "train"] as const;
/** Blocks with names of VeOmni's own. */
const ownBlocks: readonly (readonly string[])[] = [
  ["train", "accelerator"],
  ["model", "accelerator"],
  ["model", "ops_implementation"],
];

/** A cheap test that unrelated YAML fails without being parsed. */
export function mightBeTraining(path: string, text: string): boolean {
  if (isTrainingPath(path) || pinOf(text) !== undefined) return true;
  const opensInBraces = /^\uFEFF?\s*\{/.test(text.slice(0, 200));
  if (opensInBraces) return blockNames.every((name) => text.includes(name));
  return blockNames.every((name) => new RegExp(`^\\uFEFF?["']?${name}["']?[ \\t]*:`, "m").test(text));
}

/**
 * Says whether a file is VeOmni's own training YAML: `model`, `data` and `train` at the top with one of the keys that only
 * VeOmni has (those with common names only where most other keys are not foreign), or a file of VeOmni's config tree or `veomni_cli.yaml` with two of the three blocks, or a pinned file. Lists of
 * data sources (`sources`, `names`, `schedule`) and files of verl are none.
 */
export function isTraining(path: string, document: ConfigDocument): boolean {
  if (recognise(path, document) !== undefined) return false;
  const root = asMapping(document.root);
  if (root === undefined) return isBrokenTraining(path, document);
  if (isMultiSource(root)) return false;
  if (pinOf(document.text) !== undefined) return true;
  const blocks = blockNames.filter((name) => entryOf(root, name) !== undefined).length;
  if (isTrainingPath(path) && blocks >= 2) return true;
  // A mistake can end the mapping before its other blocks are read.
  if (blocks < 3) return isBrokenTraining(path, document) && mightBeTraining(path, document.text);
  if (ownBlocks.some((path) => mayBeBlock(nodeAt(root, path)))) return true;
  const hasCommonKey =
    nodeAt(root, ["data", "train_path"]) !== undefined || mayBeBlock(nodeAt(root, ["train", "checkpoint"]));
  return hasCommonKey && !isMostlyForeign(root);
}

/** A key whose block is not typed yet counts too. */
function mayBeBlock(node: ConfigNode | undefined): boolean {
  if (node === undefined) return false;
  const value = followAlias(node);
  return value.kind === "mapping" || value.kind === "alias" || scalarOf(value)?.type === "null" || isDeferred(value);
}

const strayPaths: ReadonlySet<string> = new Set(
  [...flatOnlyKeys, ...droppedKeys, ...misnamedKeys, ...unmergedKeys, ...verlSpellings].map((key) => key.path),
);
const fewKeys = 4;
const maxCounted = 2_000;

/** Other trainers have such blocks as well; of their keys hardly any is VeOmni's. */
function isMostlyForeign(root: MappingNode): boolean {
  const count = { known: 0, foreign: 0 };
  for (const name of blockNames) countKeys(asMapping(entryOf(root, name)?.value), name, count);
  return count.foreign >= fewKeys && count.foreign > 2 * count.known;
}

function countKeys(block: MappingNode | undefined, prefix: string, count: { known: number; foreign: number }): void {
  for (const { key, value } of block?.entries ?? []) {
    if (count.known + count.foreign >= maxCounted) return;
    const path = `${prefix}.${key}`;
    const types = layoutIds.flatMap((layout) => fieldAt(layout, path)?.type ?? []);
    const nested = asMapping(value);
    if (types.length === 0 && !strayPaths.has(path)) count.foreign++;
    else if (types.includes("map") && nested !== undefined) countKeys(nested, path, count);
    else count.known++;
  }
}

function isTrainingPath(path: string): boolean {
  const location = path.replaceAll("\\", "/");
  if (multiSourcePath.test(location)) return false;
  return treePath.test(location) || savedArguments.test(location);
}

/** A text of which nothing could be read still deserves its syntax error. */
function isBrokenTraining(path: string, document: ConfigDocument): boolean {
  if (document.syntaxProblems.length === 0) return false;
  const hasMarker = /(?:^|[\s{,])["']?(?:accelerator|checkpoint|ops_implementation|train_path)["']?[ \t]*:/.test(
    document.text,
  );
  return isTrainingPath(path) || pinOf(document.text) !== undefined || hasMarker;
}

function isMultiSource(root: MappingNode): boolean {
  const hasSources = entryOf(root, "sources") !== undefined;
  const hasRest = entryOf(root, "names") !== undefined || entryOf(root, "schedule") !== undefined;
  return hasSources && hasRest;
}
