import { entryOf } from "../document/configNode.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { lazyLines } from "../document/position.js";
import type { LayoutId } from "../veomni/layout.js";
import { trainingContext } from "../veomni/trainingContext.js";
import { trainingSettingsOf } from "../veomni/trainingSettings.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { verlSettingsOf } from "../verl/verlSettings.js";
import type { CommandFile } from "./calls.js";
import { commandBlocks } from "./commandBlocks.js";
import { flagNode } from "./flagNode.js";
import { launcherIn } from "./launcher.js";
import { type OverrideTree, overrideTree } from "./overrideTree.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the command lines of a file set about offload, one element per engine block of each call; VeOmni's own have one per call that
 * says anything about it. `blockPath` of a later call carries its number, so that it names one block of the file. Never throws.
 */
export function commandSettings(file: CommandFile, environment: Environment): OffloadSettings[] {
  const lineOf = lazyLines(file.text);
  const launcher = lazily(() => launcherIn(file.text));
  return commandBlocks(file).flatMap(({ blockPath, keys, tree, block, isWhole }) => {
    if (keys.framework === "VeOmni") {
      const settings = trainingSettingsOf(keys.context, { launcher: launcher(), lineOf });
      const saysAnything = settings.enabled !== undefined || settings.modulesKeySpan !== undefined;
      return saysAnything ? [{ ...settings, blockPath }] : [];
    }
    if (block === undefined) return [];
    const settings = verlSettingsOf(keys.document, block, environment, { isWhole, lineOf });
    return [{ ...settings, blockPath, ...(hasBrokenList(tree, block) ? { patternsNotTexts: true } : {}) }];
  });
}

/** Hydra stops at such a list, so no selection may be shown for it, least of all the automatic one. */
function hasBrokenList(tree: OverrideTree, block: EngineBlock): boolean {
  const entry = entryOf(block.mapping, "activation_offload_modules");
  const override = entry === undefined ? undefined : tree.overrideOf.get(entry);
  return override !== undefined && (override.error !== undefined || override.value === undefined);
}

function lazily<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** What the first call speaks: verl's language, or the layout of VeOmni's flags. */
export function commandDialect({ path, text, calls }: CommandFile): "verl" | LayoutId {
  const [first] = calls;
  if (first?.[0]?.dialect !== "veomni") return "verl";
  return trainingContext(path, overrideTree(text, first, flagNode).document).layout;
}
