import { parseConfig } from "../document/configDocument.js";
import type { LayoutId } from "./layout.js";
import { isTraining, mightBeTraining } from "./recogniseTraining.js";
import { type TrainingContext, trainingContext } from "./trainingContext.js";

/** VeOmni's own training YAML, read once. */
export interface TrainingFile {
  readonly form: "training";
  readonly path: string;
  readonly context: TrainingContext;
}

/**
 * Reads VeOmni's own training YAML as PyYAML does; `undefined` for every other file, lists of data sources included. `layout` counts
 * where the file pins none itself. Never throws, whatever the text is.
 */
export function readTrainingFile(path: string, text: string, layout?: LayoutId): TrainingFile | undefined {
  if (!mightBeTraining(path, text)) return undefined;
  const document = parseConfig(text, "pyyaml");
  if (!isTraining(path, document)) return undefined;
  return { form: "training", path, context: trainingContext(path, document, layout) };
}
