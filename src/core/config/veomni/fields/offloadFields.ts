import { asyncMember, moved } from "../layout.js";
import type { TrainingField } from "./trainingField.js";

/** Activation offload. */
export const offloadFields: readonly TrainingField[] = [
  {
    paths: moved("accelerator.offload_config"),
    type: "map",
    description: "Activation offload block.",
    pitfall:
      "16 shipped configs of the 2026-08-21 snapshot spell it offload: (wrong). Old parser ignores it silently; parser after #1090 rejects it.",
  },
  {
    paths: moved("accelerator.offload_config.enable_activation", "train.enable_activation_offload"),
    type: "bool",
    default: false,
    constraints: ["Excludes enable_async_activation (ValueError)."],
    description: "Synchronous activation offload.",
    pitfall: "Flat name before VeOmni #538: train.enable_activation_offload.",
  },
  {
    paths: moved("accelerator.offload_config.activation_gpu_limit", "train.activation_gpu_limit"),
    type: "float",
    default: 0.0,
    ranges: [{ minimum: 0, failure: "nothing checks it, and a negative budget makes no sense", checked: false }],
    constraints: ["Use >= 0 (not checked)."],
    description: "GB of saved activations that may stay on the device in synchronous mode.",
    pitfall: "No effect in async mode; a saved-tensor budget, not a memory limit.",
  },
  {
    paths: asyncMember("accelerator.offload_config.enable_async_activation"),
    type: "bool",
    default: false,
    constraints: [
      "Excludes enable_activation (ValueError).",
      "DPO reference copy forces it off.",
      "Diffusion use_remove_padding rejects it (newest trainers).",
    ],
    since: "VeOmni #965 (opened 2026-07-23, merged after the 2026-08-21 snapshot)",
    description: "Stream-based activation offload with prefetch.",
    pitfall:
      "verl calls it enable_async_activation_offload. Wan (checkpoint wraps the block from outside) gains nothing from it (VeOmni #1127).",
  },
  {
    paths: asyncMember("accelerator.offload_config.activation_offload_modules"),
    type: "list[str]",
    default: [],
    constraints: [
      "Non-empty without any match: ValueError.",
      "Empty without usable _no_split_modules: ValueError.",
      "Only read in async mode.",
    ],
    since: "VeOmni #965",
    description: "Module path patterns; empty means class-name discovery through model._no_split_modules.",
    pitfall: "A plain string is iterated character by character.",
  },
  {
    paths: asyncMember("accelerator.offload_config.activation_offload_host_cache_limit_gb"),
    type: "float",
    default: 4.0,
    ranges: [{ minimum: 0, maximum: 8589934591, failure: "VeOmni raises ValueError" }],
    constraints: ["Finite, >= 0, <= 8589934591 (ValueError)."],
    since: "VeOmni #965 or a follow-up before 2026-09 (not in the first drafts)",
    description: "Cap in GB (1024^3) of idle pinned host buffers per pool; 0 disables reuse.",
    pitfall: "Idle cache only. One pool per apply call unless shared (#1175).",
  },
];
