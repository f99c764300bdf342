import type * as vscode from "vscode";
import type { Problem } from "../../core/base/outcome.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { type LayerSummary, summariseSelection } from "../../core/modules/selection/layerSummary.js";
import { editorSteps, selectModules } from "../../core/modules/selection/select.js";
import { isWhole, type SelectionResult } from "../../core/modules/selection/selectionResult.js";
import { patternsNotTexts } from "../../core/profile/offloadChoice.js";
import { findModel } from "../model/findModel.js";
import type { TreeCache } from "../model/treeCache.js";

/** What the patterns of one engine block select on its model, or why that is not known. */
export type BlockSelection =
  | {
      readonly kind: "selected";
      readonly directory: string;
      readonly result: SelectionResult;
      /** e.g. `35 of 36 layers, the last stays on the device`. */
      readonly sentence: string;
    }
  | { readonly kind: "noModel"; readonly writtenPath: string | undefined }
  | { readonly kind: "failed"; readonly directory: string; readonly problem: Problem };

/** Selects on the model that the config or the setting names. An absent list is the automatic mode, as in the framework. */
export async function selectForBlock(
  document: vscode.TextDocument,
  settings: OffloadSettings,
  trees: TreeCache,
): Promise<BlockSelection> {
  const search = await findModel(document, settings.modelPath);
  if (search.kind === "none") return { kind: "noModel", writtenPath: settings.modelPath };
  const { shown } = search.model;
  const tree = await trees.treeOf(search.model);
  if (!tree.ok) return { kind: "failed", directory: shown, problem: tree.problem };
  if (settings.patternsNotTexts === true)
    return { kind: "failed", directory: shown, problem: patternsNotTexts(settings.blockPath) };
  const result = selectModules(tree.value, settings.patterns ?? [], editorSteps);
  const sentence = sentenceOf(result, summariseSelection(result, tree.value));
  const directory = tree.value.source === "python-dump" ? `${shown} (Python dump, exact)` : shown;
  return { kind: "selected", directory, result, sentence };
}

/** Where only layers are selected, the lens counts those that move: that number is the saving. */
function sentenceOf(result: SelectionResult, summary: LayerSummary): string {
  const { moving, staying, layersSelected, layersTotal } = summary;
  const onlyLayers = layersSelected === moving + staying;
  if (result.error !== null || !isWhole(result) || moving === 0 || !onlyLayers) return summary.sentence;
  return `${moving} of ${layersTotal} layers, the last stays on the device`;
}
