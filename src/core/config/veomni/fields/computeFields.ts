import { inModel, inTrain, untilModelScoped } from "../layout.js";
import type { TrainingField } from "./trainingField.js";

/** Gradient checkpointing, torch.compile and micro-batch chunks. */
export const computeFields: readonly TrainingField[] = [
  {
    paths: { ...inTrain("train.gradient_checkpointing"), ...inModel("model.accelerator.gradient_checkpointing") },
    type: "map",
    description: "Recomputation block.",
  },
  {
    paths: {
      flat: "train.enable_gradient_checkpointing",
      ...inTrain("train.gradient_checkpointing.enable"),
      ...inModel("model.accelerator.gradient_checkpointing.enable"),
    },
    type: "bool",
    default: true,
    constraints: ["Optional for async offload in merged code (#965); an earlier draft PR (#872) required it."],
    description: "Recompute activations in backward.",
    pitfall:
      "With sync offload and recomputation on, inter-layer activations always leave the GPU and the GPU limit applies only to recomputed tensors.",
  },
  {
    paths: {
      flat: "train.debug_gradient_checkpointing",
      ...inTrain("train.gradient_checkpointing.debug"),
      ...inModel("model.accelerator.gradient_checkpointing.debug"),
    },
    type: "bool",
    default: false,
    description: "Checkpoint debugging.",
  },
  {
    paths: {
      flat: "train.enable_reentrant",
      ...inTrain("train.gradient_checkpointing.enable_reentrant"),
      ...inModel("model.accelerator.gradient_checkpointing.enable_reentrant"),
    },
    type: "bool",
    default: false,
    constraints: ["Not with ChunkMBS."],
    description: "Reentrant variant.",
    pitfall: "Keep false with activation offload.",
  },
  {
    paths: {
      ...inTrain("train.gradient_checkpointing.early_stop"),
      ...inModel("model.accelerator.gradient_checkpointing.early_stop"),
    },
    type: "bool",
    default: true,
    description: "Stop recomputation early (ignored when reentrant).",
  },
  {
    paths: { ...inTrain("train.torch_compile"), ...inModel("model.accelerator.torch_compile") },
    type: "map",
    description: "Per-block compile block.",
  },
  {
    paths: {
      flat: "train.enable_compile",
      ...inTrain("train.torch_compile.enable"),
      ...inModel("model.accelerator.torch_compile.enable"),
    },
    type: "bool",
    default: false,
    constraints: [
      "Needs dyn_bsz=true and pad_to_length=true.",
      "Only plaintext, conversation, classification, dpo data; not DiT.",
      "FSDP2 only.",
      "Multimodal: only dense Qwen3-VL, no SP, dynamic=false, no CUDA graphs.",
      "Not with ChunkMBS.",
    ],
    description: "Compile decoder blocks.",
    pitfall: "The async offload path is documented as not meant to be captured by torch.compile.",
  },
  {
    paths: { ...inTrain("train.torch_compile.backend"), ...inModel("model.accelerator.torch_compile.backend") },
    type: "str",
    nullable: true,
    default: "inductor",
    description: "Compile backend.",
  },
  {
    paths: { ...inTrain("train.torch_compile.mode"), ...inModel("model.accelerator.torch_compile.mode") },
    type: "str",
    nullable: true,
    default: null,
    constraints: ["reduce-overhead (or backend cudagraphs) needs fsdp_config.reshard_after_forward=false."],
    description: "Compile mode.",
  },
  {
    paths: { ...inTrain("train.torch_compile.fullgraph"), ...inModel("model.accelerator.torch_compile.fullgraph") },
    type: "bool",
    default: true,
    description: "Full-graph mode.",
  },
  {
    paths: { ...inTrain("train.torch_compile.dynamic"), ...inModel("model.accelerator.torch_compile.dynamic") },
    type: "bool",
    default: false,
    description: "Dynamic shapes.",
  },
  {
    paths: untilModelScoped("train.chunk_mbs_config"),
    type: "map",
    removedIn: "VeOmni #1090",
    description: "ChunkMBS block.",
  },
  {
    paths: untilModelScoped("train.chunk_mbs_config.enable"),
    type: "bool",
    default: false,
    constraints: ["Not with pad_to_length, torch_compile, dpo data, reentrant checkpointing, SP/TP/PP, MoE."],
    removedIn: "VeOmni #1090",
    description: "Chunk packed samples per layer.",
  },
  {
    paths: untilModelScoped("train.chunk_mbs_config.chunk_mbs"),
    type: "int",
    default: 1,
    ranges: [{ minimum: 1, failure: "VeOmni raises ValueError" }],
    constraints: [">= 1 (ValueError)."],
    removedIn: "VeOmni #1090",
    description: "Samples per chunk.",
  },
];
