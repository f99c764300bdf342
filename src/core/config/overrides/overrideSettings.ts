import { type ConfigNode, entryOf } from "../document/configNode.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { lazyLines } from "../document/position.js";
import type { LineOf } from "../document/workloadKeys.js";
import type { Override } from "../shell/overrides.js";
import type { LayoutId } from "../veomni/layout.js";
import { trainingContext } from "../veomni/trainingContext.js";
import { trainingSettingsOf } from "../veomni/trainingSettings.js";
import type { FlagsOfCall } from "../veomni/trainingWorkload.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { recognise } from "../verl/recognise.js";
import { verlSettingsOf } from "../verl/verlSettings.js";
import type { CommandFile } from "./calls.js";
import { flagNode } from "./flagNode.js";
import { launcherIn } from "./launcher.js";
import { type OverrideTree, overrideTree, toNode } from "./overrideTree.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the command lines of a file set about offload, one element per engine block of each call; VeOmni's own have one per call that
 * says anything about it. `blockPath` of a later call carries its number, so that it names one block of the file. Never throws.
 */
export function commandSettings({ path, text, calls }: CommandFile, environment: Environment): OffloadSettings[] {
  const lineOf = lazyLines(text);
  const launcher = lazily(() => launcherIn(text));
  return calls.flatMap((call, index) => {
    const arriving = call.filter(({ trap }) => trap?.code !== "cut-off");
    const settings =
      call[0]?.dialect === "veomni"
        ? ofFlags(path, text, arriving, { launcher: launcher(), lineOf })
        : ofVerl(path, text, arriving, environment, lineOf);
    return index === 0
      ? settings
      : settings.map((each) => ({ ...each, blockPath: `${each.blockPath} (${index + 1})` }));
  });
}

function ofVerl(
  path: string,
  text: string,
  call: readonly Override[],
  environment: Environment,
  lineOf: LineOf,
): OffloadSettings[] {
  const tree = overrideTree(text, call, arrivingNode);
  const isWhole = call[0]?.isOfWholeCall === true;
  return (recognise(path, tree.document)?.blocks ?? []).map((block) => {
    const settings = verlSettingsOf(tree.document, block, environment, { isWhole, lineOf });
    return hasBrokenList(tree, block) ? { ...settings, patternsNotTexts: true } : settings;
  });
}

/** What Hydra makes of a value, whether or not it was meant. What it refuses is known to nobody. */
function arrivingNode(override: Override): ConfigNode {
  const { value, error, valueSpan } = override;
  return toNode(value === undefined || error !== undefined ? { kind: "unknown", span: valueSpan } : value);
}

/** Hydra stops at such a list, so no selection may be shown for it, least of all the automatic one. */
function hasBrokenList(tree: OverrideTree, block: EngineBlock): boolean {
  const entry = entryOf(block.mapping, "activation_offload_modules");
  const override = entry === undefined ? undefined : tree.overrideOf.get(entry);
  return override !== undefined && (override.error !== undefined || override.value === undefined);
}

/** The YAML file that the call names may say more; only what the flags say counts here. */
function ofFlags(path: string, text: string, call: readonly Override[], flags: FlagsOfCall): OffloadSettings[] {
  const { document } = overrideTree(text, call, flagNode);
  const settings = trainingSettingsOf(trainingContext(path, document), flags);
  const saysAnything = settings.enabled !== undefined || settings.modulesKeySpan !== undefined;
  return saysAnything ? [settings] : [];
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
