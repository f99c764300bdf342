import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { parseJsonBytes } from "../../base/utf8.js";
import { type ModelDimensions, readDimensions } from "../dimensions.js";
import type { Outline } from "../families/outlines.js";
import type { ModuleRow, ModuleTree } from "../tree.js";
import { type Assembly, assembleModules } from "./assembleTree.js";
import { readTensorNames } from "./checkpointFiles.js";
import { configDoubts } from "./configDoubts.js";
import { treeWithoutWeights } from "./configFallback.js";
import { classNameOf, leftOut, type ModelClass, moduleTensorNames, noSplitNoteOf, noSplitOf } from "./modelClass.js";
import { listed } from "./recordedSource.js";
import { type ResolvedModel, resolveModel } from "./resolveModel.js";
import type { TensorNames } from "./tensorNames.js";
import { tensorTrie } from "./tensorTrie.js";
import { withoutWrappers } from "./trainingWrappers.js";
import { readTreeConfig, type TreeConfig } from "./treeConfig.js";

const maxConfigBytes = 16 * 1024 * 1024;

/**
 * The module tree of a checkpoint directory (Hugging Face layout): tensor names from the safetensors headers, class and order
 * from config.json and the family tables. A missing or unreadable config.json is no failure: the tree then says what it
 * lacks. Weights that are not all there (a shard is missing, Git LFS pointers) leave config.json alone, with a warning. Fails with `MODEL_DIRECTORY_MISSING`, `MODEL_DIRECTORY_UNREADABLE`, `SAFETENSORS_MISSING`,
 * `SAFETENSORS_HEADER_INVALID`, `CHECKPOINT_SHARD_MISSING`, `CHECKPOINT_INDEX_INVALID`, `CHECKPOINT_TENSOR_DUPLICATE`,
 * `CHECKPOINT_TENSOR_NAME_INVALID`, `CHECKPOINT_EMPTY` or the failures of `FileSource`.
 */
export async function loadCheckpointTree(files: FileSource, directory: string): Promise<Outcome<ModuleTree>> {
  const info = await files.info(directory);
  if (!info.ok) return fail(directoryProblem(directory, info.problem));
  if (info.value.kind !== "directory") return fail(notADirectory(directory));
  const entries = await files.list(directory);
  if (!entries.ok) return fail(directoryProblem(directory, entries.problem));
  const names = await readTensorNames(files, directory, entries.value);
  if (!names.ok) return (await treeWithoutWeights(files, directory, entries.value, names.problem)) ?? names;
  const { config, dimensions, faults, json } = await readConfig(files, directory, entries.value);
  const plain = withoutWrappers(names.value);
  const resolved = resolveModel(json, config, plain.names);
  const tree = resolved.kind === "recorded" ? resolved.tree : treeOf(resolved, config, faults, plain.names);
  const uncertain = [...tree.uncertain, ...wrapperNote(plain.wrappers), ...configDoubts(json)];
  return succeed({ ...tree, uncertain, dimensions });
}

function wrapperNote(wrappers: readonly string[]): readonly string[] {
  if (wrappers.length === 0) return [];
  return [
    `The tensor names hold wrappers of a training run (${wrappers.join(", ")}), which are left out: patterns are applied before the model is wrapped.`,
  ];
}

function treeOf(
  resolved: Exclude<ResolvedModel, { readonly kind: "recorded" }>,
  config: TreeConfig,
  faults: readonly string[],
  names: TensorNames,
): ModuleTree {
  const { model } = resolved;
  const outline = resolved.kind === "outline" ? resolved.outline : undefined;
  const assembly = assembleModules({
    rootType: model.rootType,
    blueprint: model.blueprint,
    tensors: tensorTrie(moduleTensorNames(model, names)),
    className: classNameOf(model, config),
    declaredLayers: config.declaredLayers,
  });
  const noSplitModules = outline === undefined ? noSplitOf(model) : outline.noSplit;
  const layerClass = resolved.kind === "guess" ? noSplitModules?.[0] : undefined;
  const architecture = config.architecture ?? model.rootType;
  return {
    source: "checkpoint",
    exact: false,
    uncertain: [...faults, ...uncertainties(config, model, assembly), ...(outline?.doubts ?? [])],
    ...(faults.length === 0 ? {} : { warnings: faults }),
    ...(config.modelType === undefined ? {} : { modelType: config.modelType }),
    ...(architecture === undefined ? {} : { architecture }),
    ...(noSplitModules === undefined ? {} : { noSplitModules }),
    ...noSplitNoteOf(model),
    modules: withLayerClasses(assembly, outline, layerClass),
    containers: assembly.containers,
    moduleDicts: new Set(),
  };
}

function withLayerClasses(
  assembly: Assembly,
  outline: Outline | undefined,
  layerClass: string | undefined,
): readonly ModuleRow[] {
  if (layerClass !== undefined) return withLayerClass(assembly, layerClass);
  if (outline === undefined) return assembly.modules;
  const types = new Map(outline.stacks.map(({ path, type }) => [path, type]));
  return assembly.modules.map((module) => {
    const type = module.type ?? types.get(module.name.slice(0, Math.max(0, module.name.lastIndexOf("."))));
    return type === undefined ? module : { ...module, type };
  });
}

/** Gives the elements of the largest list of an unknown family the class that its layers usually have. */
function withLayerClass(assembly: Assembly, layerClass: string): readonly ModuleRow[] {
  if (assembly.modules.some((module) => module.type === layerClass)) return assembly.modules;
  const sizes = new Map<string, number>([...assembly.containers].map((name) => [name, 0]));
  const parentOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf(".")));
  for (const { name } of assembly.modules) {
    const size = sizes.get(parentOf(name));
    if (size !== undefined && name !== "") sizes.set(parentOf(name), size + 1);
  }
  const [largest] = [...sizes].sort((a, b) => b[1] - a[1]);
  return assembly.modules.map((module) =>
    module.type === undefined && module.name !== "" && parentOf(module.name) === largest?.[0]
      ? { name: module.name, type: layerClass }
      : module,
  );
}

function uncertainties(config: TreeConfig, model: ModelClass, assembly: Assembly): readonly string[] {
  const notes = [
    "Modules inside the layers are named as transformers 5 names them; other versions, and VeOmni's own model code, may differ.",
  ];
  if (!model.isKnown) {
    const what = config.modelType === undefined ? "The model's family" : `The family "${config.modelType}"`;
    notes.push(
      `${what} is not known here: class names, order inside the layers and modules without tensors are guesses.`,
    );
  }
  if (config.declaredLayers === undefined) {
    notes.push("config.json does not give the number of layers: it is taken from the tensors.");
  }
  notes.push(...listed("These layers are declared but have no tensors", assembly.layersWithoutTensors));
  notes.push(
    ...listed(
      "These layers have tensors but are beyond the declared number and are not built",
      assembly.layersNotBuilt,
    ),
  );
  notes.push(...listed("The numbers of these lists have gaps", assembly.gaps));
  notes.push(...leftOut(config.modelType));
  if (model.isKnown) notes.push(...listed("Class and position of these modules are unknown", assembly.unplaced));
  return notes;
}

interface ReadConfig {
  readonly config: TreeConfig;
  readonly dimensions: ModelDimensions;
  /** Sentences on what is wrong with the file. */
  readonly faults: readonly string[];
  /** The parsed file. */
  readonly json: unknown;
}

async function readConfig(files: FileSource, directory: string, entries: readonly string[]): Promise<ReadConfig> {
  const without = (fault: string): ReadConfig => ({
    config: readTreeConfig(undefined),
    dimensions: {},
    faults: [fault],
    json: undefined,
  });
  if (!entries.includes("config.json")) return without("config.json is missing.");
  const path = files.join(directory, "config.json");
  const info = await files.info(path);
  if (!info.ok) return without(`config.json cannot be read: ${info.problem.message}`);
  if (info.value.kind !== "file" || info.value.sizeBytes > maxConfigBytes)
    return without("config.json is no file of usual size.");
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return without(`config.json cannot be read: ${bytes.problem.message}`);
  const parsed = parseJsonBytes(bytes.value);
  if ("cause" in parsed) return without(`config.json cannot be used. ${parsed.cause}`);
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return without("config.json cannot be used. It does not hold a JSON object.");
  return {
    config: readTreeConfig(parsed.value),
    dimensions: readDimensions(parsed.value),
    faults: [],
    json: parsed.value,
  };
}

function directoryProblem(directory: string, problem: Problem): Problem {
  if (problem.code === "FILE_MISSING") {
    const message = `The model directory ${directory} does not exist.`;
    return {
      code: "MODEL_DIRECTORY_MISSING",
      message,
      nextStep: "Give the directory that holds config.json and the weights.",
    };
  }
  return {
    code: "MODEL_DIRECTORY_UNREADABLE",
    message: `The model directory ${directory} cannot be read.`,
    cause: problem.cause ?? problem.message,
    nextStep: "Check the permissions of the directory.",
  };
}

function notADirectory(directory: string): Problem {
  return {
    code: "MODEL_DIRECTORY_MISSING",
    message: `${directory} is not a directory.`,
    nextStep: "Give the directory that holds config.json and the weights, not a file in it.",
  };
}
