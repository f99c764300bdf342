import { converterOf } from "../families/conversions.js";
import { omniFamilies } from "../families/omniFamilies.js";
import { bodyOf, childOf, type RecordedModel, recordedModelOf, valueBelow } from "../families/recordedModel.js";
import type { ModuleTree } from "../tree.js";
import { loadedTensors, withoutLeftovers } from "./leftovers.js";
import { recordedTree } from "./recordedTree.js";
import type { TensorNames } from "./tensorNames.js";
import { renamedTrie, type TensorNode, tensorTrie } from "./tensorTrie.js";

/** The tree of a recorded class. */
export interface RecordedModuleTree {
  readonly tree: ModuleTree;
  /** False where this configuration has a module whose form, number or part was not recorded. */
  readonly isSure: boolean;
}

/**
 * The tree of a model whose class was recorded, from its config.json and the names of its tensors (`undefined`: config.json
 * alone). `undefined` for other models, and for those of which VeOmni builds a part only.
 */
export function recordedModuleTree(
  json: unknown,
  tensorNames: TensorNames | undefined,
): RecordedModuleTree | undefined {
  const modelType = valueBelow(json, "model_type");
  if (typeof modelType === "string" && omniFamilies.has(modelType)) return undefined;
  const model = recordedModelOf(json);
  if (model === undefined) return undefined;
  const tensors = tensorNames === undefined ? undefined : tensorsOf(model, tensorNames);
  const built = recordedTree(model, json, tensors);
  const tree: ModuleTree = {
    source: tensors === undefined ? "config-json" : "checkpoint",
    exact: false,
    uncertain: [
      tensors === undefined
        ? "Modules are listed by recordings of what transformers 5 builds for this class with other values in config.json; keys that were not varied there, other versions, and VeOmni's own model code, may give others."
        : "Modules inside the layers are named as transformers 5 names them; other versions, and VeOmni's own model code, may differ.",
      ...model.doubts,
      ...listed(
        "Form or number of these modules depends on the configuration in a way that is not known here",
        built.doubtful,
      ),
      ...listed("These modules are declared but have no tensors", layersFirst(outermost(built.withoutTensors))),
      ...listed("Tensors below these names are not loaded by this class", outermost(built.notLoaded)),
    ],
    ...(typeof modelType === "string" ? { modelType } : {}),
    architecture: model.rootType,
    noSplitModules: model.noSplit,
    modules: built.modules,
    containers: built.containers,
    moduleDicts: built.moduleDicts,
  };
  return { tree, isSure: model.doubts.length === 0 && built.doubtful.length === 0 };
}

/** Checkpoint names as the class names them: renamed as the loader does, with or without the body's prefix as the class has it. */
function tensorsOf(model: RecordedModel, names: TensorNames): TensorNode {
  const { convert, looksAtNumbers } = converterOf(model.family.conversions);
  const move = bodyMove(model);
  const rename = (name: string) => move(convert(name));
  return looksAtNumbers
    ? tensorTrie(withoutLeftovers(names).map(rename))
    : renamedTrie(names, loadedTensors(names), rename);
}

/** Puts the body's prefix before a name, or takes it away, as the class has it. */
function bodyMove({ family, shape }: RecordedModel): (name: string) => string {
  const body = bodyOf(family);
  if (body === undefined) return (name) => name;
  const inside = `${family.base}.`;
  const rootHas = (segment: string) =>
    shape === "body"
      ? childOf(body, segment) !== undefined
      : segment === family.base || childOf(family.root, segment) !== undefined;
  return (name) => {
    const segment = name.slice(0, Math.max(0, name.indexOf(".")));
    if (rootHas(segment)) return name;
    if (shape === "body") return name.startsWith(inside) ? name.slice(inside.length) : name;
    return childOf(body, segment) === undefined ? name : inside + name;
  };
}

function layersFirst(names: readonly string[]): readonly string[] {
  const isElement = (name: string) => /\.\d+$/.test(name);
  return [...names.filter(isElement), ...names.filter((name) => !isElement(name))];
}

function outermost(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  return names.filter((name) => {
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      if (all.has(name.slice(0, dot))) return false;
    }
    return true;
  });
}

/** One sentence that names the first few of a list; none for an empty list. */
export function listed(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`${what}: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ` and ${names.length - 4} more` : ""}.`];
}
