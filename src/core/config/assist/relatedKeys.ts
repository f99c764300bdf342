import { fact, type KeyDoc, type ValueShape } from "./keyDoc.js";

/** Keys outside verl's engine blocks that decide what the block does. Only what concerns VeOmni is told. */
const rows: readonly (readonly [path: string, shape: ValueShape, defaultText: string, description: string])[] = [
  [
    "model_engine",
    "text",
    "dp",
    "Which engine trains. The veomni blocks exist for the value veomni only; otherwise their keys fail at composition.",
  ],
  [
    "actor_rollout_ref.model.enable_activation_offload",
    "bool",
    "false",
    "verl's own synchronous offload, for fsdp and fsdp2. The VeOmni engine rejects it: enable_async_activation_offload is its switch.",
  ],
  [
    "actor_rollout_ref.model.enable_gradient_checkpointing",
    "bool",
    "true",
    "Keep only the input of each layer in forward, recompute the rest in backward. With it, async offload moves exactly those inputs; without it, activations inside the layers stay on the device.",
  ],
  [
    "actor_rollout_ref.model.use_remove_padding",
    "bool",
    "true",
    "Train on packed tokens. The token count then changes from step to step, so pinned host buffers are not reused unless pad_to_length evens it out.",
  ],
  [
    "actor_rollout_ref.rollout.enable_rollout_routing_replay",
    "bool",
    "false",
    "Record the experts chosen in rollout; router_replay.mode=R3 needs it.",
  ],
  [
    "actor_rollout_ref.actor.pad_to_length",
    "bool",
    "false",
    "Source of veomni.pad_to_length in the actor and the reference.",
  ],
  [
    "critic.model.enable_activation_offload",
    "bool",
    "false",
    "The critic's copy of verl's synchronous offload; the VeOmni engine rejects it.",
  ],
  [
    "critic.model.enable_gradient_checkpointing",
    "bool",
    "true",
    "The critic's copy of gradient checkpointing; meant to be combined with async offload.",
  ],
];

const engines = { values: ["dp", "megatron", "torchtitan", "veomni"], open: false };

/** The related keys directly under a container path, `""` for the top. */
export function relatedKeysUnder(containerPath: string): readonly KeyDoc[] {
  return docs.filter((doc) => doc.path.slice(0, Math.max(0, doc.path.lastIndexOf("."))) === containerPath);
}

const docs: readonly KeyDoc[] = rows.map(([path, shape, defaultText, description]) => ({
  name: path.slice(path.lastIndexOf(".") + 1),
  path,
  type: shape === "bool" ? "bool" : "str",
  shape,
  nullable: false,
  required: false,
  defaultText,
  ...(path === "model_engine" ? { allowed: engines } : {}),
  description,
  facts: [fact("default", `\`${defaultText}\``)],
  constraints: [],
  inert: false,
  removed: false,
  onlyFor: [],
  source: "verl 0.10.0.dev of 2026-08-22 with #7724",
}));
