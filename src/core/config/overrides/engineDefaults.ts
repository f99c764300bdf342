import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, nodeAt, textOf } from "../document/configNode.js";
import type { EngineBlock } from "../verl/engineBlock.js";

/**
 * The actor's engine block in a call that chooses the engine and leaves its whole block at the defaults; nothing where the call writes a
 * key of it, or names no model.
 */
export function defaultBlock(document: ConfigDocument): EngineBlock | undefined {
  const { root } = document;
  if (root === undefined || textOf(nodeAt(root, ["model_engine"])) !== "veomni") return undefined;
  if (nodeAt(root, ["actor_rollout_ref", "actor", "veomni"]) !== undefined) return undefined;
  const model = asMapping(nodeAt(root, ["actor_rollout_ref", "model"]));
  if (model === undefined) return undefined;
  const span = { start: 0, end: 0 };
  return {
    path: "actor_rollout_ref.actor.veomni",
    role: "actor",
    mapping: { kind: "mapping", span, flow: false, entries: [] },
    span,
    model: { path: "actor_rollout_ref.model", mapping: model },
  };
}
