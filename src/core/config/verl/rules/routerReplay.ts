import { asMapping, entryOf, type MappingEntry } from "../../document/configNode.js";
import { textIn } from "../../document/literalValues.js";
import type { BlockContext } from "../blockRule.js";

/** `router_replay.mode` of a block, with its value, when replay is on. */
export function activeReplay(
  context: BlockContext,
): { readonly entry: MappingEntry; readonly mode: string } | undefined {
  const replay = asMapping(entryOf(context.block.mapping, "router_replay")?.value);
  const entry = entryOf(replay, "mode");
  const mode = textIn(context.document.root, replay, "mode");
  return entry !== undefined && (mode === "R2" || mode === "R3") ? { entry, mode } : undefined;
}
