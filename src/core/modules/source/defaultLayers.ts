import { recording } from "../families/recordedFamilies.js";
import { layerKeys, type TreeConfig } from "./treeConfig.js";

/** The recording was made with a few layers where the library could not be asked for its default: such figures are not believed. */
const mostRecordedLayers = 4;

/**
 * How many layers the library builds where config.json does not say: files leave out what equals the default of the text model's
 * class, above all inside `text_config` (LLaVA 1.5). Recorded with the classes; `undefined` for others.
 */
export function defaultLayersOf({ textType, modelType }: TreeConfig): number | undefined {
  const keys = textType === undefined ? [...layerKeys, ...layerKeys.map((key) => `text_config.${key}`)] : layerKeys;
  const defaults = recording().byType.get(textType ?? modelType ?? "")?.[0]?.defaults ?? {};
  const values = keys.map((key) => (Object.hasOwn(defaults, key) ? defaults[key] : undefined));
  return values.find((value): value is number => typeof value === "number" && value > mostRecordedLayers);
}
