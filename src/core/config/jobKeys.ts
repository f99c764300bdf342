import type { OffloadSettings } from "./document/offloadSettings.js";
import { commandBlocks, type JobKeys } from "./overrides/commandBlocks.js";
import type { ReadConfig } from "./readConfig.js";
import { placesOf } from "./verl/recognise.js";

export type { JobKeys } from "./overrides/commandBlocks.js";

/** The keys of the job of a block that `settingsOf` gives for the same file; `undefined` for other paths. */
export function jobKeys(
  { yaml, commands }: ReadConfig,
  { blockPath }: Pick<OffloadSettings, "blockPath">,
): JobKeys | undefined {
  if (commands !== undefined) return commandBlocks(commands).find((block) => block.blockPath === blockPath)?.keys;
  if (yaml === undefined) return undefined;
  if (yaml.form === "training") {
    return { framework: "VeOmni", document: yaml.context.document, context: yaml.context };
  }
  const block = yaml.kind.blocks.find(({ path }) => path === blockPath);
  if (block === undefined) return undefined;
  const { document } = yaml;
  return { framework: "verl", document, places: placesOf(document, block) };
}
