import type { ConfigDocument } from "../configDocument.js";
import { asMapping, entryOf, type MappingNode, nodeAt } from "../configNode.js";
import { recogniseDocument } from "../recognise.js";
import { pinOf } from "./detectLayout.js";

const treePath = /(?:^|\/)configs\/(?:text|multimodal|dit)\/.*\.ya?ml$/;
const multiSourcePath = /(?:^|\/)configs\/multimodal\/data\//;
const savedArguments = /(?:^|\/)veomni_cli\.ya?ml$/;
const blockNames = ["model", "data", "train"] as const;
const markers: readonly (readonly string[])[] = [
  ["train", "accelerator"],
  ["model", "accelerator"],
  ["train", "checkpoint"],
  ["model", "ops_implementation"],
  ["data", "train_path"],
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
 * VeOmni has, or a file of VeOmni's config tree or `veomni_cli.yaml` with two of the three blocks, or a pinned file. Lists of
 * data sources (`sources`, `names`, `schedule`) and files of verl are none.
 */
export function isTraining(path: string, document: ConfigDocument): boolean {
  if (recogniseDocument(path, document) !== undefined) return false;
  const root = asMapping(document.root);
  if (root === undefined) return isBrokenTraining(path, document);
  if (isMultiSource(root)) return false;
  if (pinOf(document.text) !== undefined) return true;
  const blocks = blockNames.filter((name) => entryOf(root, name) !== undefined).length;
  if (isTrainingPath(path) && blocks >= 2) return true;
  if (blocks < 3) return false;
  return markers.some((marker) => nodeAt(root, marker) !== undefined);
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
