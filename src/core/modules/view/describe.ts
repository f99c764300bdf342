import { counted, formatBytes } from "../../base/quantities.js";
import { workloadText } from "../../base/stepWorkload.js";
import type { OffloadSettings } from "../../config/document/offloadSettings.js";
import { estimateSelection, type SelectionEstimate, type Sum } from "../estimate/estimate.js";
import type { EstimateWorkload } from "../estimate/estimateWorkload.js";
import type { ModuleEstimate } from "../estimate/judgedModule.js";
import { canonicalName } from "../selection/attributes.js";
import { isWhole, NOT_TRIED, type PatternNote, type SelectionResult } from "../selection/selectionResult.js";
import type { ModuleTree, TreeSource } from "../tree.js";
import { ModuleMark, type ModuleMarkValue } from "./moduleMarks.js";
import type { ConfigSummary, Figure, ModelMessage, SelectionMessage } from "./protocol.js";

const sourceNames: Readonly<Record<TreeSource, string>> = {
  "python-dump": "Python dump",
  checkpoint: "checkpoint",
  "config-json": "config.json",
  "tree-file": "tree file",
};

/** A tree as the page gets it. */
export function describeModel(tree: ModuleTree, shown: string, id: number): ModelMessage {
  const typeIds = new Map<string, number>();
  const warnings = tree.warnings ?? [];
  const types = tree.modules.map(({ type }) => {
    if (type === undefined) return -1;
    const known = typeIds.get(type) ?? typeIds.size;
    typeIds.set(type, known);
    return known;
  });
  return {
    type: "model",
    id,
    title: tree.architecture ?? tree.modelType ?? lastPart(shown),
    source: sourceNames[tree.source],
    shown,
    exact: tree.exact,
    uncertain: tree.uncertain.filter((sentence) => !warnings.includes(sentence)),
    warnings,
    names: tree.modules.map(({ name }) => name),
    typeNames: [...typeIds.keys()],
    types,
    containers: tree.modules.flatMap(({ name }, row) =>
      tree.containers.has(name) || tree.moduleDicts.has(name) ? [row] : [],
    ),
  };
}

function lastPart(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? path
  );
}

/** What a configuration says around the selection; `null` members are not written. */
export interface DescribedConfig {
  readonly fileName: string;
  readonly settings: OffloadSettings;
  readonly blocks: readonly string[];
}

/** A selection as the page gets it: one entry for each instance, with what it does in a step. */
export function describeSelection(
  tree: ModuleTree,
  result: SelectionResult,
  workload: EstimateWorkload,
  model: number,
  config: DescribedConfig | undefined,
): SelectionMessage {
  const estimate = estimateSelection(result, tree, workload);
  const rowOf = new Map(tree.modules.map(({ name }, row) => [name, row]));
  const reasons = new Map<string, number>();
  const selected = estimate.modules.flatMap((module) => {
    const row = rowOf.get(canonicalName(tree, module.name));
    if (row === undefined) return [];
    const reason = reasons.get(module.reason) ?? reasons.size;
    reasons.set(module.reason, reason);
    return [{ row, module, reason }];
  });
  return {
    type: "selection",
    model,
    rows: selected.map(({ row }) => row),
    indices: selected.map(({ module }) => module.index),
    marks: selected.map(({ module }) => markOf(module)),
    bytes: selected.map(({ module }) => module.bytes),
    reasons: selected.map(({ reason }) => reason),
    reasonTexts: [...reasons.keys()],
    error: result.error === null ? null : `${result.error.type}: ${result.error.message}`,
    warnings: [...notTried(result), ...estimate.warnings, ...patternWarnings(result), ...listWarning(tree, result)],
    config: config === undefined ? null : summaryOf(config, workload),
    freed: figureOf(estimate.totals.freedAfterForward),
    pinned: pinnedFigure(estimate),
  };
}

const marks: Readonly<Record<ModuleEstimate["effect"], ModuleMarkValue>> = {
  moves: ModuleMark.moves,
  stays: ModuleMark.stays,
  nothing: ModuleMark.nothing,
  unknown: ModuleMark.unknown,
};

function markOf({ effect }: ModuleEstimate): ModuleMarkValue {
  return marks[effect];
}

/** The automatic mode on a model whose list depends on who trains it. */
function listWarning({ noSplitNote }: ModuleTree, { patterns }: SelectionResult): readonly PatternNote[] {
  return patterns.length > 0 || noSplitNote === undefined ? [] : [{ code: "NO_SPLIT_DIFFERS", message: noSplitNote }];
}

/** Figures that stand for the beginning of a list only have to say so. */
function notTried(result: SelectionResult): readonly PatternNote[] {
  const sentence = isWhole(result) ? undefined : result.model.uncertain.at(-1);
  return sentence === undefined ? [] : [{ code: NOT_TRIED, message: sentence }];
}

/** Patterns that select nothing are easy to overlook beside others that do. */
function patternWarnings({ patterns }: SelectionResult): readonly PatternNote[] {
  return patterns
    .filter(({ matched, notes }) => matched === 0 && !notes.some(({ code }) => code === NOT_TRIED))
    .slice(0, 20)
    .map(({ pattern, notes }) => {
      const note = notes.find(({ code }) => code !== "UNSUPPORTED_BRACES") ?? notes[0];
      const reason = note === undefined ? "it adds nothing." : note.message;
      return { code: note?.code ?? "NO_MATCH", message: `${JSON.stringify(pattern)}: ${reason}` };
    });
}

function summaryOf({ fileName, settings, blocks }: DescribedConfig, workload: EstimateWorkload): ConfigSummary {
  const { patterns } = settings;
  return {
    fileName,
    blockPath: settings.blockPath,
    blocks,
    isOn: settings.enabled === true,
    isAutomatic: patterns === undefined || patterns.length === 0,
    workload: workloadOf(workload),
  };
}

function workloadOf(workload: EstimateWorkload): string {
  const checkpointing = `checkpointing ${workload.gradientCheckpointing ? "on" : "off"}`;
  return workload.text === undefined
    ? `${workloadText(workload)}, ${checkpointing}`
    : `${workload.text} Gradient ${checkpointing}.`;
}

function figureOf({ bytes, arithmetic }: Sum): Figure {
  return { text: bytes === null ? "not known" : formatBytes(bytes), arithmetic };
}

function pinnedFigure({ totals }: SelectionEstimate): Figure {
  const { pinnedNeeded, pinnedBlocks, cacheLimitBytes, laterSteps } = totals;
  const pool =
    laterSteps === null
      ? ""
      : `\nA later step: ${counted(laterSteps.allocations, "allocation")}, ${counted(laterSteps.reuses, "reuse")}, ${counted(laterSteps.evictions, "eviction")}.`;
  const arithmetic = [
    `Buffers in flight: ${pinnedNeeded.arithmetic}`,
    `Pinned by PyTorch in blocks of a power of two: ${pinnedBlocks.arithmetic}`,
    `The idle pool keeps up to ${formatBytes(cacheLimitBytes)}.${pool}`,
  ];
  return { text: figureOf(pinnedNeeded).text, arithmetic: arithmetic.join("\n") };
}
