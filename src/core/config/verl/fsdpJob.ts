import { parseConfig } from "../document/configDocument.js";
import { asMapping, nodeAt, textOf } from "../document/configNode.js";
import type { JobWorkload } from "../document/jobWorkload.js";
import { lazyLines } from "../document/position.js";
import { verlWorkload } from "./verlWorkload.js";

/**
 * The actor's job in a YAML file of verl that trains with FSDP and so has no block of ours; `undefined` for every other file. Never
 * throws, whatever the text is.
 */
export function fsdpJob(text: string): JobWorkload | undefined {
  if (!text.includes("actor_rollout_ref")) return undefined;
  const document = parseConfig(text, "omegaconf");
  const actor = asMapping(nodeAt(document.root, ["actor_rollout_ref", "actor"]));
  const engine = textOf(nodeAt(actor, ["strategy"]));
  if (actor === undefined || (engine !== "fsdp" && engine !== "fsdp2")) return undefined;
  const rolePath = "actor_rollout_ref.actor";
  const places = {
    role: "actor",
    engine,
    rolePath,
    blockPath: `${rolePath}.fsdp_config`,
    modelPath: "actor_rollout_ref.model",
  } as const;
  return verlWorkload(document, places, false, lazyLines(document.text));
}
