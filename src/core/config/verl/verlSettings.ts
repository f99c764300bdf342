import type { ConfigDocument } from "../document/configDocument.js";
import {
  type ConfigNode,
  entryOf,
  isDeferred,
  type MappingNode,
  nodeAt,
  scalarOf,
  textOf,
} from "../document/configNode.js";
import { followReference, resolveText } from "../document/interpolation.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { lazyLines } from "../document/position.js";
import type { LineOf } from "../document/workloadKeys.js";
import { holdsOtherThanTexts, intendedPatterns } from "../patterns/patternList.js";
import type { EngineBlock } from "./engineBlock.js";
import { placesOf } from "./recognise.js";
import type { VerlFile } from "./verlFile.js";
import { verlWorkload } from "./verlWorkload.js";

/** The settings of every engine block of a YAML file of verl. */
export function verlFileSettings(
  { document, kind }: VerlFile,
  environment: Readonly<Record<string, string | undefined>>,
): OffloadSettings[] {
  const lineOf = lazyLines(document.text);
  return kind.blocks.map((block) => verlSettingsOf(document, block, environment, { isWhole: false, lineOf }));
}

/** What one block says, of a YAML file or of the tree that overrides make. `job.isWhole`: what is not set is at verl's defaults. */
export function verlSettingsOf(
  document: ConfigDocument,
  block: EngineBlock,
  environment: Readonly<Record<string, string | undefined>>,
  job: { readonly isWhole: boolean; readonly lineOf: LineOf },
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
    workload: verlWorkload(document, placesOf(document, block), job.isWhole, job.lineOf),
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
  const scope = { root: document.root, containerPath, environment };
  const modelPath = resolveText(written, scope);
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
