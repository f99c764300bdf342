import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { parseJsonBytes } from "../../base/utf8.js";
import { ConfigValues } from "../configValues.js";
import { readDimensions } from "../dimensions.js";
import type { Blueprint } from "../families/blueprint.js";
import { type OpenModules, openModulesOf } from "../families/openModules.js";
import type { ModuleTree } from "../tree.js";
import { assembleModules } from "./assembleTree.js";
import { configDoubts } from "./configDoubts.js";
import { defaultLayersOf } from "./defaultLayers.js";
import { classNameOf, leftOut, noSplitNoteOf, noSplitOf } from "./modelClass.js";
import { outlineTree } from "./outlineTree.js";
import { resolveModel } from "./resolveModel.js";
import type { TensorNode } from "./tensorTrie.js";
import { declaresImpossibleLayers, readTreeConfig } from "./treeConfig.js";

/** Largest config.json that is read, in bytes. */
export const maxConfigBytes = 16 * 1024 * 1024;

/**
 * The module tree of a model from its config.json alone: recording and family tables give names, classes and order, the configuration every
 * dimension (layers, dense and sparse layers, attention kinds, vision towers). Fails with `MODEL_CONFIG_MISSING`,
 * `MODEL_CONFIG_INVALID`, `MODEL_FAMILY_UNKNOWN`, `MODEL_CONFIG_WITHOUT_LAYERS` or the failures of `FileSource`.
 */
export async function loadConfigTree(files: FileSource, path: string): Promise<Outcome<ModuleTree>> {
  const info = await files.info(path);
  if (!info.ok) return info.problem.code === "FILE_MISSING" ? fail(missing(path)) : info;
  if (info.value.kind === "directory") return loadConfigTree(files, files.join(path, "config.json"));
  if (info.value.sizeBytes > maxConfigBytes) return fail(invalid(path, "It is larger than 16 MiB."));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const parsed = parseJsonBytes(bytes.value);
  if ("cause" in parsed) return fail(invalid(path, parsed.cause));
  return configTree(parsed.value, path);
}

/** As `loadConfigTree`, from the parsed file; `path` is for messages. */
export function configTree(json: unknown, path = "config.json"): Outcome<ModuleTree> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return fail(invalid(path, "It does not hold a JSON object."));
  }
  const config = readTreeConfig(json);
  const resolved = resolveModel(json, config, undefined);
  if (resolved.kind === "recorded") {
    const { tree } = resolved;
    const uncertain = [...tree.uncertain, ...configDoubts(json)];
    return succeed({ ...tree, uncertain, dimensions: readDimensions(json) });
  }
  if (resolved.kind === "outline") return succeed(outlineTree(json, config, resolved.outline));
  if (resolved.kind === "guess") return fail(unknownFamily(path, config.modelType));
  const { model } = resolved;
  const isImpossible = declaresImpossibleLayers(json);
  const layers = config.declaredLayers ?? (isImpossible ? undefined : defaultLayersOf(config));
  if (layers === undefined) return fail(withoutLayers(path, isImpossible));
  const values = new ConfigValues(json);
  const isText = config.architecture?.endsWith("ForCausalLM") === true;
  const types = [isText ? `${config.modelType}_text` : undefined, config.modelType, config.textType];
  const building: Building = {
    values,
    layers,
    builds: openModulesOf(types),
    unknownCounts: [],
  };
  const assembly = assembleModules({
    rootType: model.rootType,
    blueprint: model.blueprint,
    tensors: nodeOf(building, model.blueprint, -1),
    className: classNameOf(model, config),
    declaredLayers: layers,
  });
  const assumed = config.declaredLayers === undefined ? [defaultTaken(layers)] : [];
  const noSplitModules = noSplitOf(model);
  const architecture = config.architecture ?? model.rootType;
  return succeed({
    source: "config-json",
    exact: false,
    dimensions: readDimensions(json),
    uncertain: [
      ...uncertainties(
        building,
        assembly.modules.some((module) => module.type === undefined),
      ),
      ...leftOut(config.modelType),
      ...assumed,
      ...configDoubts(json),
    ],
    ...(assumed.length === 0 ? {} : { warnings: assumed }),
    ...(config.modelType === undefined ? {} : { modelType: config.modelType }),
    ...(architecture === undefined ? {} : { architecture }),
    ...(noSplitModules === undefined ? {} : { noSplitModules }),
    ...noSplitNoteOf(model),
    modules: assembly.modules,
    containers: assembly.containers,
    moduleDicts: new Set(),
  });
}

interface Building {
  readonly values: ConfigValues;
  readonly layers: number;
  readonly builds: OpenModules;
  /** Paths in config.json that should say how long a list is, and do not. */
  readonly unknownCounts: string[];
}

/** The modules that the configuration builds, in the form in which a checkpoint's tensors would prove them. */
function nodeOf(building: Building, blueprint: readonly Blueprint[], layer: number): TensorNode {
  const open = new Set(building.builds(building.values, layer));
  const children = new Map<string, TensorNode>();
  for (const entry of blueprint) {
    if (children.has(entry.name)) continue;
    const chosen = chosenOf(blueprint, entry.name, open);
    if (chosen === undefined || (chosen.isOpen && !open.has(entry.name))) continue;
    if (!chosen.isList) children.set(entry.name, markedNode(building, chosen, layer));
    else children.set(entry.name, listNode(building, blueprint, chosen, layer));
  }
  return { children };
}

function listNode(building: Building, blueprint: readonly Blueprint[], list: Blueprint, layer: number): TensorNode {
  const length = list.isDecoderStack ? building.layers : lengthOf(building, list);
  const children = new Map<string, TensorNode>();
  for (let at = 0; at < length; at += 1) {
    const number = list.isDecoderStack ? at : layer;
    const chosen = chosenOf(blueprint, list.name, new Set(building.builds(building.values, number)));
    if (chosen !== undefined) children.set(String(at), markedNode(building, chosen, number));
  }
  return { children };
}

/** The node of one module, with the child that tells its alternative from the others. */
function markedNode(building: Building, chosen: Blueprint, layer: number): TensorNode {
  const node = nodeOf(building, chosen.children, layer);
  if (chosen.when === undefined || node.children.has(chosen.when)) return node;
  return { children: new Map([...node.children, [chosen.when, { children: new Map() }]]) };
}

function lengthOf(building: Building, list: Blueprint): number {
  const length = list.countKey === undefined ? undefined : building.values.countAt(list.countKey);
  if (length === undefined) building.unknownCounts.push(list.countKey ?? list.name);
  return length ?? 0;
}

function chosenOf(blueprint: readonly Blueprint[], name: string, open: ReadonlySet<string>): Blueprint | undefined {
  return blueprint.find((entry) => entry.name === name && (entry.when === undefined || open.has(entry.when)));
}

function uncertainties(building: Building, lacksTypes: boolean): readonly string[] {
  const notes = [
    "Modules are listed as transformers 5 builds them from this configuration; other versions, and VeOmni's own model code, may differ.",
  ];
  for (const key of new Set(building.unknownCounts)) {
    notes.push(`config.json does not say how long a list of modules is (${key}): it is shown empty.`);
  }
  if (lacksTypes)
    notes.push("config.json does not name an activation that is known here: the class of those modules is not shown.");
  return notes;
}

function missing(path: string): Problem {
  return {
    code: "MODEL_CONFIG_MISSING",
    message: `${path} does not exist.`,
    nextStep: "Give a config.json or the directory that holds it.",
  };
}

function invalid(path: string, cause: string): Problem {
  const nextStep = "Give the config.json that belongs to the model.";
  return { code: "MODEL_CONFIG_INVALID", message: `The model configuration ${path} cannot be used.`, cause, nextStep };
}

function unknownFamily(path: string, modelType: string | undefined): Problem {
  const cause =
    modelType === undefined
      ? 'It has no "model_type".'
      : `Its model_type is ${JSON.stringify(modelType.slice(0, 80))}.`;
  return {
    code: "MODEL_FAMILY_UNKNOWN",
    message: `The modules of the model in ${path} are not known from its configuration alone.`,
    cause,
    nextStep: "Give a checkpoint with safetensors weights, or a tree that the dump script wrote.",
  };
}

function defaultTaken(layers: number): string {
  return `config.json does not say how many layers the model has: ${layers} are shown, the library's default for this class.`;
}

function withoutLayers(path: string, isImpossible: boolean): Problem {
  return {
    code: "MODEL_CONFIG_WITHOUT_LAYERS",
    message: `${path} does not say how many layers the model has.`,
    ...(isImpossible ? { cause: "The number that it gives is none that a model can have." } : {}),
    nextStep: "Give the complete config.json of the model, with num_hidden_layers.",
  };
}
