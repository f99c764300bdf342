import { counted } from "../../base/quantities.js";
import type { ModuleTree } from "../tree.js";
import { canonicalName } from "./attributes.js";
import { indexOf } from "./moduleIndex.js";
import { layerStacks } from "./patternNotes.js";
import { isWhole, type SelectionResult } from "./selectionResult.js";

/** A selection in figures. Layers are the children of the model's layer stacks; `moving` and `staying` count instances. */
export interface LayerSummary {
  readonly layersSelected: number;
  readonly layersTotal: number;
  /** Selected instances whose input moves to the host. */
  readonly moving: number;
  /** Selected instances that keep their tensor on the device: those that run with the last index. */
  readonly staying: number;
  /** For a line of the editor: "36 of 36 layers, the last stays on the device". */
  readonly sentence: string;
}

/** Counts what a selection does to the layers of the tree that it was made on. */
export function summariseSelection(result: SelectionResult, tree: ModuleTree): LayerSummary {
  const layers = new Set(
    layerStacks(tree).flatMap((stack) =>
      indexOf(tree)
        .childrenOf(stack)
        .map((node) => node.name),
    ),
  );
  const stays = new Map(result.selected.map((entry) => [canonicalName(tree, entry.name), entry.staysOnDevice]));
  const staying = [...stays.values()].filter((value) => value).length;
  const layersSelected = [...stays.keys()].filter((name) => layers.has(name)).length;
  const counts = { layersSelected, layersTotal: layers.size, moving: stays.size - staying, staying };
  return { ...counts, sentence: sentenceOf(result, counts) };
}

function sentenceOf(result: SelectionResult, counts: Omit<LayerSummary, "sentence">): string {
  if (result.error !== null) return `nothing selected, the framework raises ${result.error.type}`;
  if (!isWhole(result)) return "not known, the pattern list takes too long on this model for a preview";
  const others = counts.moving + counts.staying - counts.layersSelected;
  const layers = `${counts.layersSelected} of ${counted(counts.layersTotal, "layer")}`;
  const which =
    others === 0 ? layers : counts.layersSelected === 0 ? modules(others) : `${layers} and ${modules(others)}`;
  if (counts.moving === 0) return `${which}, none moves: the last selected module stays on the device`;
  return `${which}, the last stays on the device`;
}

function modules(count: number): string {
  return counted(count, "other module");
}
