import { entryOf, isDeferred, type MappingEntry, nodeAt, textOf } from "../../document/configNode.js";
import type { BlockContext } from "../blockRule.js";

/** A switch of the `model` mapping that belongs to the block's role; nothing when the file trains with another engine. */
export function modelSwitch(context: BlockContext, key: string): MappingEntry | undefined {
  return usesAnotherEngine(context) ? undefined : entryOf(context.block.model?.mapping, key);
}

function usesAnotherEngine(context: BlockContext): boolean {
  const chosen = nodeAt(context.document.root, ["model_engine"]);
  const name = textOf(chosen);
  return name !== undefined && name !== "veomni" && !isDeferred(chosen);
}
