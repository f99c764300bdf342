import { ConfigValues } from "../configValues.js";
import { readDimensions } from "../dimensions.js";
import type { Outline } from "../families/outlines.js";
import type { ModuleRow, ModuleTree } from "../tree.js";
import type { TreeConfig } from "./treeConfig.js";

/**
 * The tree of a model of which only the lists of layers are known, from its config.json: VeOmni's own classes for diffusion, and
 * transformers that diffusers saved. It names the root, the lists and their elements, and says that the rest is missing.
 */
export function outlineTree(json: unknown, { modelType }: TreeConfig, outline: Outline): ModuleTree {
  const values = new ConfigValues(json);
  const rows = new Map<string, ModuleRow>([["", { name: "", type: outline.architecture }]]);
  const containers = new Set<string>();
  const unknownCounts: string[] = [];
  for (const { path, type, countKeys, isOptional } of outline.stacks) {
    const count = countKeys.map((key) => values.countAt(key)).find((found) => found !== undefined);
    if (count !== undefined) addStack(rows, containers, { path, type, count });
    else if (isOptional !== true) unknownCounts.push(`${path} (${countKeys[0]})`);
  }
  const uncertain = doubtsOf(outline, unknownCounts);
  return {
    source: "config-json",
    exact: false,
    uncertain,
    warnings: uncertain,
    dimensions: readDimensions(json),
    ...(modelType === undefined ? {} : { modelType }),
    architecture: outline.architecture,
    ...(outline.noSplit === undefined ? {} : { noSplitModules: outline.noSplit }),
    modules: [...rows.values()],
    containers,
    moduleDicts: new Set(),
  };
}

interface Stack {
  readonly path: string;
  readonly type: string | undefined;
  readonly count: number;
}

function addStack(rows: Map<string, ModuleRow>, containers: Set<string>, { path, type, count }: Stack): void {
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    if (!rows.has(name)) rows.set(name, { name });
  }
  rows.set(path, { name: path, type: "ModuleList" });
  containers.add(path);
  for (let at = 0; at < count; at += 1) {
    const name = `${path}.${at}`;
    rows.set(name, type === undefined ? { name } : { name, type });
  }
}

function doubtsOf({ architecture, stacks, doubts }: Outline, unknownCounts: readonly string[]): readonly string[] {
  const known =
    stacks.length === 0
      ? `No list of layers of ${architecture} is known here: give the checkpoint directory, or a tree that the dump script wrote.`
      : `Only the lists of layers of ${architecture} are known here: modules beside them and inside the layers are not listed, so other patterns cannot be judged.`;
  const missing = unknownCounts.map(
    (name) => `config.json does not say how long this list is, so it is left out: ${name}.`,
  );
  return [known, ...doubts, ...missing];
}
