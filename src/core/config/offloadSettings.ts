import { type ConfigDocument, parseConfig } from "./configDocument.js";
import { type ConfigNode, entryOf, isDeferred, type MappingNode, nodeAt, scalarOf, textOf } from "./configNode.js";
import type { TextSpan } from "./diagnostic.js";
import { followReference, resolveText } from "./interpolation.js";
import { holdsOtherThanTexts, intendedPatterns } from "./patternList.js";
import { type EngineBlock, mightBeRelevant, recogniseDocument } from "./recognise.js";
import type { TrainingOptions } from "./veomni/checkTraining.js";
import { readTrainingSettings } from "./veomni/trainingSettings.js";

/** What one engine block says about activation offload. A member is absent when the file does not say it. */
export interface OffloadSettings {
  /** `actor_rollout_ref.actor.veomni`, `model.accelerator.offload_config`; `""` for a file that is the block. */
  readonly blockPath: string;
  /** The key and the mapping of the block. */
  readonly blockSpan: TextSpan;
  /** `enable_async_activation_offload`; `undefined` when absent, not a boolean, or known at run time only. */
  readonly enabled: boolean | undefined;
  /** A `string` when a text stands where the list should: the framework then iterates it by characters. */
  readonly patterns: readonly string[] | string | undefined;
  /** `activation_offload_modules` holds null, a number, a mapping or such entries: `patterns` is not what the framework gets. */
  readonly patternsNotTexts?: true;
  readonly modulesKeySpan?: TextSpan;
  readonly modulesValueSpan?: TextSpan;
  /** `activation_offload_host_cache_limit_gb` in units of 2^30 bytes; finite and not negative. */
  readonly cacheLimitGb?: number;
  readonly gradientCheckpointing?: boolean;
  /** Sequences per micro-batch on one GPU; a positive whole number. */
  readonly microBatch?: number;
  /** Model directory as written, interpolations resolved as far as the file can. */
  readonly modelPath?: string;
  readonly modelPathSpan?: TextSpan;
}

/**
 * Reads the offload settings of every engine block of a verl configuration, or those of VeOmni's own training YAML; empty for any
 * other file. Broken YAML gives what could still be read; it never throws. `environment` feeds `${oc.env:…}` of verl's files;
 * without it only defaults count. `options` may name the layout of VeOmni's.
 */
export function readOffloadSettings(
  path: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  options: TrainingOptions = {},
): OffloadSettings[] {
  const training = readTrainingSettings(path, text, options);
  return training.length > 0 ? training : readVerlSettings(path, text, environment);
}

function readVerlSettings(
  path: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): OffloadSettings[] {
  if (!mightBeRelevant(path, text)) return [];
  const document = parseConfig(text, "omegaconf");
  return (recogniseDocument(path, document)?.blocks ?? []).map((block) => settingsOf(document, block, environment));
}

function settingsOf(
  document: ConfigDocument,
  block: EngineBlock,
  environment: Readonly<Record<string, string | undefined>>,
): OffloadSettings {
  const read = (key: string): ConfigNode | undefined =>
    followReference(document.root, entryOf(block.mapping, key)?.value);
  return {
    blockPath: block.path,
    blockSpan: block.span,
    enabled: booleanOf(read("enable_async_activation_offload")),
    ...modulesOf(document, block),
    ...optional("cacheLimitGb", limitOf(read("activation_offload_host_cache_limit_gb"))),
    ...optional("gradientCheckpointing", checkpointingOf(document, block)),
    ...optional("microBatch", microBatchOf(document, block)),
    ...modelPathOf(document, block, environment),
  };
}

function modulesOf(
  document: ConfigDocument,
  block: EngineBlock,
): Pick<OffloadSettings, "patterns" | "patternsNotTexts" | "modulesKeySpan" | "modulesValueSpan"> {
  const entry = entryOf(block.mapping, "activation_offload_modules");
  if (entry === undefined) return { patterns: undefined };
  const value = isDeferred(entry.value) ? followReference(document.root, entry.value) : entry.value;
  const patterns = value === undefined ? undefined : intendedPatterns(document, value);
  const isOther = value !== undefined && holdsOtherThanTexts(document, value);
  return {
    patterns,
    ...(isOther ? { patternsNotTexts: true } : {}),
    modulesKeySpan: entry.keySpan,
    modulesValueSpan: entry.value.span,
  };
}

function checkpointingOf(document: ConfigDocument, block: EngineBlock): boolean | undefined {
  const entry = entryOf(block.model?.mapping, "enable_gradient_checkpointing");
  return booleanOf(followReference(document.root, entry?.value));
}

function microBatchOf(document: ConfigDocument, block: EngineBlock): number | undefined {
  const inBlock = entryOf(block.mapping, "micro_batch_size_per_gpu")?.value;
  const aboveKey = block.role === "ref" ? "log_prob_micro_batch_size_per_gpu" : "ppo_micro_batch_size_per_gpu";
  const above = block.role === "sft" ? undefined : entryOf(block.parent, aboveKey)?.value;
  const inData = block.role === "sft" ? nodeAt(document.root, ["data", "micro_batch_size_per_gpu"]) : undefined;
  return [inBlock, above, inData].map((node) => countOf(followReference(document.root, node))).find(isPresent);
}

function modelPathOf(
  document: ConfigDocument,
  block: EngineBlock,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<OffloadSettings, "modelPath" | "modelPathSpan"> {
  const entry = entryOf(block.model?.mapping, "path") ?? partialPretrain(block);
  const written = textOf(entry?.value);
  if (block.model === undefined || entry === undefined || written === undefined) return {};
  const containerPath = block.model.path.split(".");
  const modelPath = resolveText(written, { root: document.root, containerPath, environment });
  return { ...optional("modelPath", modelPath === "" ? undefined : modelPath), modelPathSpan: entry.value.span };
}

/** The older SFT trainer's name for the model path. */
function partialPretrain(block: EngineBlock): ReturnType<typeof entryOf> {
  const model: MappingNode | undefined = block.role === "sft" ? block.model?.mapping : undefined;
  return entryOf(model, "partial_pretrain");
}

function booleanOf(node: ConfigNode | undefined): boolean | undefined {
  const value = scalarOf(node);
  return value?.type === "bool" ? value.value : undefined;
}

function limitOf(node: ConfigNode | undefined): number | undefined {
  const value = scalarOf(node);
  if (value?.type !== "int" && value?.type !== "float") return undefined;
  return Number.isFinite(value.value) && value.value >= 0 ? value.value : undefined;
}

function countOf(node: ConfigNode | undefined): number | undefined {
  const value = scalarOf(node);
  return value?.type === "int" && value.value > 0 && Number.isSafeInteger(value.value) ? value.value : undefined;
}

function isPresent(value: number | undefined): value is number {
  return value !== undefined;
}

/** An object with the member, or without it: absent and `undefined` are different things here. */
function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value });
}
