/** A key that no VeOmni ever read, or that only a proposal or another framework reads. Paths are names of rows (train-scoped). */
export interface StrayKey {
  readonly path: string;
  /** Name of the row that means the same, or a path in a free mapping. */
  readonly replacement?: string;
  readonly note: string;
}

/** Keys of the flat layout that nothing replaced. */
export const flatOnlyKeys: readonly StrayKey[] = [
  { path: "train.enable_full_shard", note: "It was dropped together with FSDP1 (VeOmni #756)." },
  { path: "train.train_architecture", note: "Nothing took its place." },
];

/** Keys that were removed from the nested layouts. */
export const droppedKeys: readonly StrayKey[] = [
  {
    path: "train.accelerator.fsdp_config.full_shard",
    note: "It was dropped together with FSDP1 (VeOmni #756).",
  },
];

/** Wrong keys that VeOmni's own configs hold. */
export const misnamedKeys: readonly StrayKey[] = [
  {
    path: "train.accelerator.offload",
    replacement: "train.accelerator.offload_config",
    note: "Several configs that VeOmni ships have this mistake.",
  },
  {
    path: "data.datasets_repeat",
    replacement: "data.dataset_repeat",
    note: "Tasks that VeOmni deprecated declared it (2026-08-21); the others never did.",
  },
  {
    path: "model.lora_rank",
    replacement: "model.lora_config.rank",
    note: "LoRA settings stand in the free mapping lora_config.",
  },
  {
    path: "model.lora_alpha",
    replacement: "model.lora_config.alpha",
    note: "LoRA settings stand in the free mapping lora_config.",
  },
  {
    path: "model.lora_target_modules",
    replacement: "model.lora_config.target_modules",
    note: "LoRA settings stand in the free mapping lora_config.",
  },
  {
    path: "train.dyn_bsz_buffer_size",
    replacement: "data.dyn_bsz_buffer_size",
    note: "The buffer belongs to the data block.",
  },
];

/** Keys of proposals that were not merged. */
export const unmergedKeys: readonly StrayKey[] = [
  {
    path: "train.accelerator.offload_config.selection",
    replacement: "train.accelerator.offload_config.activation_offload_modules",
    note: "It is part of the proposal VeOmni #1037 and of forks.",
  },
  {
    path: "train.accelerator.offload_config.prefetch",
    note: "It is part of the proposal VeOmni #1037 and of forks; merged code always prefetches.",
  },
  {
    path: "train.accelerator.offload_config.exclude_parameter_views",
    note: "It is part of the proposal VeOmni #1037 and of forks.",
  },
  {
    path: "model.ops_implementation.cross_entropy_loss_release_cache",
    note: "It is part of VeOmni #1004, which is open.",
  },
];

/** Spellings of verl. */
export const verlSpellings: readonly StrayKey[] = [
  {
    path: "train.accelerator.offload_config.enable_async_activation_offload",
    replacement: "train.accelerator.offload_config.enable_async_activation",
    note: "verl's engine spells the switch like this, and so did the draft VeOmni #872.",
  },
  {
    path: "train.accelerator.offload_config.enable_activation_offload",
    replacement: "train.accelerator.offload_config.enable_activation",
    note: "verl's model block and VeOmni's flat layout spell it like this.",
  },
  {
    path: "train.enable_async_activation_offload",
    replacement: "train.accelerator.offload_config.enable_async_activation",
    note: "verl's engine spells the switch like this.",
  },
  {
    path: "model.enable_activation_offload",
    replacement: "train.accelerator.offload_config.enable_activation",
    note: "This is the switch of verl's model block.",
  },
  {
    path: "model.enable_gradient_checkpointing",
    replacement: "train.gradient_checkpointing.enable",
    note: "This is the switch of verl's model block.",
  },
  { path: "model.path", replacement: "model.model_path", note: "verl's model block spells it like this." },
  { path: "data.train_files", replacement: "data.train_path", note: "verl's data block spells it like this." },
  {
    path: "train.micro_batch_size_per_gpu",
    replacement: "train.micro_batch_size",
    note: "verl's engine spells it like this.",
  },
  {
    path: "train.accelerator.ulysses_parallel_size",
    replacement: "train.accelerator.ulysses_size",
    note: "verl's engine and VeOmni's flat layout spell it like this.",
  },
  {
    path: "train.accelerator.ulysses_sequence_parallel_size",
    replacement: "train.accelerator.ulysses_size",
    note: "verl's FSDP engine spells it like this.",
  },
  {
    path: "train.accelerator.expert_parallel_size",
    replacement: "train.accelerator.ep_size",
    note: "verl's engine and VeOmni's flat layout spell it like this.",
  },
];
