import { activationClass } from "../families/activations.js";
import { type Blueprint, indent, parseBlueprint } from "../families/blueprint.js";
import type { Family } from "../families/family.js";
import { family } from "../families/family.js";
import { omniFamilies } from "../families/omniFamilies.js";
import { commonBody, textFamilies } from "../families/textFamilies.js";
import { combinedFamily, visionFamilies, visionRenames } from "../families/visionFamilies.js";
import { withoutLeftovers } from "./leftovers.js";
import type { TensorNames } from "./tensorNames.js";
import type { TreeConfig } from "./treeConfig.js";

/** The class that would be built for a checkpoint, and how its checkpoint names turn into module names. */
export interface ModelClass {
  readonly family: Family;
  /** False: a guess from the names of the class and of the tensors. */
  readonly isKnown: boolean;
  readonly rootType: string | undefined;
  /** The body itself, without a head around it (`Qwen3Model`). */
  readonly isBare: boolean;
  readonly blueprint: readonly Blueprint[];
}

const headNames = ["lm_head", "embed_out", "score", "classifier", "qa_outputs", "v_head", "value_head", "dropout"];
const suffixes = /(ForCausalLM|LMHeadModel|For[A-Z]\w*|TextModel|Model)$/;

/** Decides the class by config.json: `model_type` picks the family, the first architecture picks head or bare body. */
export function modelClassOf(config: TreeConfig, tensorNames: Iterable<string>): ModelClass {
  const known = knownFamily(config);
  const found = known ?? guessedFamily(config, tensorNames);
  const isBare = /(?<!LMHead|DoubleHeads)Model$/.test(config.architecture ?? "");
  const rootType = config.architecture ?? (known === undefined ? undefined : expand(known.headClass, known.prefix));
  const chosen = { ...found, base: baseOf(found, rootType) };
  return {
    family: chosen,
    isKnown: known !== undefined,
    rootType,
    isBare,
    blueprint: blueprintOf(chosen, rootType, isBare),
  };
}

/** Checkpoint names as the class names them, without the tensors that it does not load. */
export function moduleTensorNames(model: ModelClass, tensorNames: TensorNames): readonly string[] {
  const { family: known, isBare } = model;
  const loaded = withoutLeftovers(tensorNames).filter((name) => known.ignored?.test(name) !== true);
  const renamed = loaded.map((name) => known.renames.reduce((text, { from, to }) => text.replace(from, to), name));
  const inside = `${known.base}.`;
  const hasBase = renamed.some((name) => name.startsWith(inside));
  if (isBare && hasBase) {
    return renamed
      .filter((name) => !isHead(name))
      .map((name) => (name.startsWith(inside) ? name.slice(inside.length) : name));
  }
  if (isBare || hasBase || known.base === "") return renamed;
  return renamed.map((name) => (isHead(name) ? name : inside + name));
}

/** The class name for a blueprint's entry. */
export function classNameOf(model: ModelClass, config: TreeConfig): (type: string) => string | undefined {
  const { prefix } = model.family;
  return (type) => {
    if (type === "%act") return activationClass(config.activation);
    if (type === "%visionAct") return activationClass(config.visionActivation);
    if (type === "%projectorAct") return activationClass(config.projectorActivation ?? "gelu");
    if (!type.includes("@")) return type;
    return prefix === "" ? undefined : expand(type, prefix);
  };
}

/** `_no_split_modules` of the class. */
export function noSplitOf(model: ModelClass): readonly string[] | undefined {
  const { noSplit, prefix } = model.family;
  return prefix === "" ? undefined : noSplit.map((name) => expand(name, prefix));
}

/** The member that says how the list differs in another class that may train the model. */
export function noSplitNoteOf(model: ModelClass): { readonly noSplitNote?: string } {
  const { noSplitNote } = model.family;
  return noSplitNote === undefined ? {} : { noSplitNote };
}

function knownFamily(config: TreeConfig): Family | undefined {
  const type = config.modelType ?? "";
  const text = config.architecture?.endsWith("ForCausalLM") === true ? textFamilies.get(`${type}_text`) : undefined;
  return (
    text ??
    textFamilies.get(type) ??
    visionFamilies.get(type) ??
    omniFamilies.get(type) ??
    combinedFamily(type, config.textType ?? "", config.visionType ?? "")
  );
}

/** Unknown families mostly follow Llama's layout; where the tensors do not, only their own names count. */
function guessedFamily(config: TreeConfig, tensorNames: Iterable<string>): Family {
  const prefix = config.architecture?.replace(suffixes, "") ?? "";
  const names = [...tensorNames];
  const oldVisionLayout = names.some((name) => name.startsWith("language_model.model."));
  const renames = config.visionType !== undefined || oldVisionLayout ? visionRenames : [];
  const likeLlama = names.some((name) => /^(\w+\.)?layers\.\d+\.self_attn\./.test(name));
  return family(prefix, likeLlama ? commonBody : "", { base: guessedBase(names), renames });
}

/** Bodies saved alone have no prefix; those with one already say it; "" leaves all names alone. */
function guessedBase(tensorNames: readonly string[]): string {
  for (const name of tensorNames) {
    if (/^(layers|embed_tokens)\./.test(name)) return "model";
    if (/^(h|wte|word_embeddings)\./.test(name)) return "transformer";
  }
  const withBase = tensorNames.map((name) => /^(\w+)\.(layers|h|blocks|block|decoder)\./.exec(name)?.[1]);
  return withBase.find((base) => base !== undefined && base !== "encoder" && base !== "decoder") ?? "";
}

function blueprintOf(chosen: Family, rootType: string | undefined, isBare: boolean): readonly Blueprint[] {
  if (isBare || chosen.ownHead === true) return parseBlueprint(chosen.body);
  const body = chosen.base === "" ? chosen.body : `${chosen.base} ${chosen.baseClass}\n${indent(chosen.body, 1)}`;
  return parseBlueprint(`${body}\n${headLines(chosen, rootType ?? "")}`);
}

/** The modules beside the body. Classes that transformers shares between families have their heads even where no tensor says so. */
function headLines(chosen: Family, rootType: string): string {
  if (/(ForCausalLM|LMHeadModel|ForConditionalGeneration)$/.test(rootType)) return "lm_head! Linear";
  if (chosen.base === "model" && rootType.endsWith("ForTokenClassification")) return "dropout! Dropout\nscore! Linear";
  if (rootType.endsWith("ForSequenceClassification")) return "score! Linear";
  if (rootType.endsWith("ForQuestionAnswering")) return "qa_outputs! Linear";
  return "lm_head? Linear\ndropout? Dropout\nscore? Linear\nclassifier? Linear\nqa_outputs? Linear";
}

/** The shared class for question answering calls the body of Llama-like families differently. */
function baseOf(chosen: Family, rootType: string | undefined): string {
  return chosen.base === "model" && rootType?.endsWith("ForQuestionAnswering") === true ? "transformer" : chosen.base;
}

/** Says which parts of a model that hears and speaks are not shown. */
export function leftOut(modelType: string | undefined): readonly string[] {
  if (modelType === undefined || !omniFamilies.has(modelType) || modelType.endsWith("_thinker")) return [];
  return ["The talker and the vocoder are left out, as VeOmni leaves them out: it trains the thinker."];
}

function isHead(name: string): boolean {
  return headNames.includes(name.slice(0, Math.max(0, name.indexOf("."))));
}

function expand(type: string, prefix: string): string {
  return type.replaceAll("@", prefix);
}
