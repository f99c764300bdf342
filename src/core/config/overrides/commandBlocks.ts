import type { ConfigDocument } from "../document/configDocument.js";
import type { ConfigNode } from "../document/configNode.js";
import type { Override } from "../shell/overrides.js";
import { type TrainingContext, trainingContext } from "../veomni/trainingContext.js";
import { trainingBlockPath } from "../veomni/trainingSettings.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { placesOf, recognise } from "../verl/recognise.js";
import type { VerlPlaces } from "../verl/roleKeys.js";
import type { CommandFile } from "./calls.js";
import { flagNode } from "./flagNode.js";
import { type OverrideTree, overrideTree, toNode } from "./overrideTree.js";

/**
 * Where the keys of one block's job stand: in verl's tree by role, in VeOmni's own YAML and flags by layout. `document` is what the file,
 * or one call of a script, says.
 */
export type JobKeys =
  | { readonly framework: "verl"; readonly document: ConfigDocument; readonly places: VerlPlaces }
  | { readonly framework: "VeOmni"; readonly document: ConfigDocument; readonly context: TrainingContext };

/** One block of one call. */
export interface CommandBlock {
  /** As in the settings. */
  readonly blockPath: string;
  readonly keys: JobKeys;
  readonly tree: OverrideTree;
  readonly call: readonly Override[];
  /** Of verl. */
  readonly block?: EngineBlock;
  /** What is not set is at verl's defaults. */
  readonly isWhole: boolean;
}

/** The blocks of every call; one of VeOmni's own flags has one, whatever they say. */
export function commandBlocks({ path, text, calls }: CommandFile): readonly CommandBlock[] {
  return calls.flatMap((all, index) => {
    const call = all.filter(({ trap }) => trap?.code !== "cut-off");
    const blocks = all[0]?.dialect === "veomni" ? [ofFlags(path, text, call)] : ofVerl(path, text, call);
    return index === 0 ? blocks : blocks.map((each) => ({ ...each, blockPath: `${each.blockPath} (${index + 1})` }));
  });
}

function ofVerl(path: string, text: string, call: readonly Override[]): readonly CommandBlock[] {
  const tree = overrideTree(text, call, arrivingNode);
  const { document } = tree;
  const isWhole = call[0]?.isOfWholeCall === true;
  return (recognise(path, document)?.blocks ?? []).map((block) => {
    const keys = { framework: "verl", document, places: placesOf(document, block) } as const;
    return { blockPath: block.path, keys, tree, call, block, isWhole };
  });
}

/** The YAML file that the call names may say more; only what the flags say counts here. */
function ofFlags(path: string, text: string, call: readonly Override[]): CommandBlock {
  const tree = overrideTree(text, call, flagNode);
  const { document } = tree;
  const context = trainingContext(path, document);
  const keys = { framework: "VeOmni", document, context } as const;
  return { blockPath: trainingBlockPath(context), keys, tree, call, isWhole: false };
}

/** What Hydra makes of a value, whether or not it was meant. What it refuses is known to nobody. */
function arrivingNode(override: Override): ConfigNode {
  const { value, error, valueSpan } = override;
  return toNode(value === undefined || error !== undefined ? { kind: "unknown", span: valueSpan } : value);
}
