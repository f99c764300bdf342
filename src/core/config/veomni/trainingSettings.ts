import { isDeferred, type MappingEntry, scalarOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { holdsOtherThanTexts, intendedPatterns } from "../patterns/patternList.js";
import { asyncSwitch, cacheLimit, checkpointing, moduleList } from "./offloadNames.js";
import { pathOf, placedKey, type TrainingContext } from "./trainingContext.js";
import { type FlagsOfCall, trainingWorkload } from "./trainingWorkload.js";

const offloadBlock = "train.accelerator.offload_config";

/**
 * What VeOmni's own training YAML, or the flags of one call, say about activation offload. `blockPath` is where the layout has
 * `offload_config` (`train` in the flat layout), whether the file writes that block or not. `enabled` is the stream-based mode.
 */
export function trainingSettingsOf(context: TrainingContext, flags?: FlagsOfCall): OffloadSettings {
  const checkpointed = booleanOf(context, checkpointing);
  const limit = numberOf(context, cacheLimit);
  const microBatch = numberOf(context, "train.micro_batch_size");
  return {
    blockPath: trainingBlockPath(context),
    blockSpan: blockSpanOf(context),
    enabled: booleanOf(context, asyncSwitch),
    ...modulesOf(context),
    ...(limit !== undefined && Number.isFinite(limit) && limit >= 0 ? { cacheLimitGb: limit } : {}),
    ...(checkpointed === undefined ? {} : { gradientCheckpointing: checkpointed }),
    ...(microBatch !== undefined && Number.isSafeInteger(microBatch) && microBatch > 0 ? { microBatch } : {}),
    workload: trainingWorkload(context, flags),
    ...modelPathOf(context),
  };
}

/** Where the layout has the block of activation offload. */
export function trainingBlockPath(context: TrainingContext): string {
  return pathOf(context, offloadBlock) ?? "train";
}

/** The block, or the nearest one above it that the file writes. */
function blockSpanOf(context: TrainingContext): TextSpan {
  const isModel = pathOf(context, offloadBlock)?.startsWith("model.") === true;
  for (const name of [offloadBlock, "train.accelerator", isModel ? "model" : "train"]) {
    const entry = placed(context, name);
    if (entry !== undefined) return entry.span;
  }
  return { start: 0, end: 0 };
}

function modulesOf(
  context: TrainingContext,
): Pick<OffloadSettings, "patterns" | "patternsNotTexts" | "modulesKeySpan" | "modulesValueSpan"> {
  const entry = placed(context, moduleList);
  if (entry === undefined) return { patterns: undefined };
  const patterns = isDeferred(entry.value) ? undefined : intendedPatterns(context.document, entry.value);
  return {
    patterns,
    ...(holdsOtherThanTexts(context.document, entry.value) ? { patternsNotTexts: true } : {}),
    modulesKeySpan: entry.keySpan,
    modulesValueSpan: entry.value.span,
  };
}

/** The weights' directory holds the model's config too; `config_path` counts only without it. */
function modelPathOf(context: TrainingContext): Pick<OffloadSettings, "modelPath" | "modelPathSpan"> {
  for (const name of ["model.model_path", "model.config_path"]) {
    const entry = placed(context, name);
    const value = scalarOf(entry?.value);
    if (entry === undefined || value?.type !== "str" || value.value === "" || isDeferred(entry.value)) continue;
    return { modelPath: value.value, modelPathSpan: entry.value.span };
  }
  return {};
}

function booleanOf(context: TrainingContext, name: string): boolean | undefined {
  const value = scalarOf(placed(context, name)?.value);
  return value?.type === "bool" ? value.value : undefined;
}

function numberOf(context: TrainingContext, name: string): number | undefined {
  const value = scalarOf(placed(context, name)?.value);
  return value?.type === "int" || value?.type === "float" ? value.value : undefined;
}

function placed(context: TrainingContext, name: string): MappingEntry | undefined {
  return placedKey(context, name)?.entry;
}
