import { type Outline, outlineOf } from "../families/outlines.js";
import type { ModuleTree } from "../tree.js";
import { type ModelClass, modelClassOf } from "./modelClass.js";
import { recordedModuleTree } from "./recordedSource.js";
import type { TensorNames } from "./tensorNames.js";
import { declaresImpossibleLayers, type TreeConfig } from "./treeConfig.js";

/** What is known here of a model, and by which kind of knowledge. */
export type ResolvedModel =
  /** What the library was seen to build for this class. */
  | { readonly kind: "recorded"; readonly tree: ModuleTree }
  /** The family tables, which were read in the library's code. */
  | { readonly kind: "family"; readonly model: ModelClass }
  /** VeOmni's own classes and those of diffusers: the lists of layers only. `model` guesses the rest from tensor names. */
  | { readonly kind: "outline"; readonly outline: Outline; readonly model: ModelClass }
  /** A layout as most models have it, judged by the names of class and tensors. */
  | { readonly kind: "guess"; readonly model: ModelClass };

/**
 * The one order in which sources ask: the recording where it decides every module of this configuration, then the family tables,
 * which know rules that recording did not find; outlines; the recording with its doubts; a guess. `names` are the tensors of a
 * checkpoint, `undefined` for config.json alone.
 */
export function resolveModel(json: unknown, config: TreeConfig, names: TensorNames | undefined): ResolvedModel {
  const recorded = recordedModuleTree(json, names);
  // The rules of a recording would take an impossible figure at its word; tables and tensors do not.
  const isSure = recorded?.isSure === true && !declaresImpossibleLayers(json);
  if (isSure) return { kind: "recorded", tree: recorded.tree };
  const model = modelClassOf(config, names ?? []);
  if (model.isKnown) return { kind: "family", model };
  const outline = outlineOf(config.architecture, config.modelType);
  if (outline !== undefined) return { kind: "outline", outline, model };
  return recorded === undefined ? { kind: "guess", model } : { kind: "recorded", tree: recorded.tree };
}
