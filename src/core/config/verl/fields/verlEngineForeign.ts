import type { ForeignField, RemovedField } from "./fieldSpec.js";

/** Keys that `VeOmniEngineConfig` had and lost. */
export const verlEngineRemoved: readonly RemovedField[] = [
  {
    key: "activation_gpu_limit",
    type: "float",
    since: "verl #4072 (2025-12-19)",
    removed: "verl #7724 (merged 2026-09-03)",
    description: "GB of activations allowed to stay on GPU in the old synchronous offload.",
    pitfall:
      "After #7724: plain override fails in struct mode (key missing), and +key passes composition but then fails in the dataclass constructor. Migrate to enable_async_activation_offload; there is no GPU limit any more (the host cache limit is a different quantity).",
  },
];

/** Spellings of other engines and of VeOmni itself, seen in public configs inside verl's VeOmni block. */
export const verlEngineForeign: readonly ForeignField[] = [
  {
    key: "data_parallel_size",
    replacement: "fsdp_size",
    note: "Existed from verl #4072 (2025-12-19) to #5303 (2026-02-13); still seen in public scripts.",
  },
  {
    key: "data_parallel_mode",
    note: "Existed from verl #4072 (2025-12-19) to #5303 (2026-02-13); the engine is FSDP2 only.",
  },
  {
    key: "data_parallel_replicate_size",
    note: "Existed from verl #4072 to #5303; replicas follow from an fsdp_size below the data-parallel size.",
  },
  {
    key: "data_parallel_shard_size",
    replacement: "fsdp_size",
    note: "Existed from verl #4072 to #5303.",
  },
  {
    key: "tensor_parallel_size",
    note: "Part of the first veomni.yaml (verl #4072), dropped by #5303 because the engine does not support it.",
  },
  {
    key: "pipeline_parallel_size",
    note: "Part of the first veomni.yaml (verl #4072), dropped by #5303 because the engine does not support it.",
  },
  {
    key: "context_parallel_size",
    note: "Part of the first veomni.yaml (verl #4072), dropped by #5303 because the engine does not support it.",
  },
  {
    key: "ulysses_sequence_parallel_size",
    replacement: "ulysses_parallel_size",
    note: "This is the spelling of verl's FSDP engine.",
  },
  {
    key: "ulysses_size",
    replacement: "ulysses_parallel_size",
    note: "This is the spelling of VeOmni itself.",
  },
  {
    key: "ep_size",
    replacement: "expert_parallel_size",
    note: "This is the spelling of VeOmni itself.",
  },
  {
    key: "enable_async_activation",
    replacement: "enable_async_activation_offload",
    note: "This is the spelling of VeOmni itself.",
  },
  {
    key: "enable_activation",
    replacement: "enable_async_activation_offload",
    note: "This is VeOmni's switch of the synchronous mode; verl's VeOmni engine has the stream-based mode only.",
  },
  {
    key: "enable_activation_offload",
    replacement: "enable_async_activation_offload",
    note: "This is the switch under model, which the VeOmni engine rejects.",
  },
  {
    key: "reshard_after_forward",
    note: "This is a key of verl's FSDP engine.",
  },
  {
    key: "use_orig_params",
    note: "This is a key of verl's FSDP engine.",
  },
  {
    key: "model_dtype",
    note: "This is a key of verl's FSDP engine.",
  },
  {
    key: "offload_policy",
    note: "This is a key of verl's FSDP engine.",
  },
  {
    key: "wrap_policy",
    note: "This is a key of verl's FSDP engine.",
  },
];
