import { inEvery, inModel, inNested, sinceAsync, untilModelScoped } from "../layout.js";
import type { TrainingField } from "./trainingField.js";

const textTemplates = ["default", "tokenizer", "chatml", "llama2", "gpt_oss", "Janus"];
/** Those of the vision-language trainer; from VeOmni 0.1.12 on one registry holds them and the ones above. */
const sharedTemplates = ["qwen2vl", "qwen2_5vl", "qwen3vl"];
/** Of the vision-language trainer and of the omni task until then, and of no other (snapshot of 2026-08-21). */
const multimodalTemplates = {
  qwen2vl_pretrain: ["VLM"],
  qwen2_5omni: ["VLM"],
  janus: ["VLM"],
  llama: ["VLM"],
  qwen3moe: ["VLM"],
  seed_oss: ["VLM"],
} as const;

/** The `data` block. */
export const dataFields: readonly TrainingField[] = [
  { paths: inEvery("data"), type: "map", description: "Data block." },
  {
    paths: inEvery("data.train_path"),
    type: "str",
    required: true,
    constraints: ["Required."],
    description: "Training data; a path ending in .yaml switches to multi-source mode.",
  },
  { paths: inEvery("data.eval_path"), type: "str", nullable: true, default: null, description: "Evaluation data." },
  {
    paths: inEvery("data.train_size"),
    type: "int",
    default: 10000000,
    description: "Token count used to derive steps with dynamic batching.",
  },
  {
    paths: inEvery("data.train_sample"),
    type: "int",
    default: 10000,
    description: "Sample count used to derive steps without dynamic batching.",
  },
  {
    paths: inEvery("data.data_type"),
    type: "str",
    default: "conversation",
    allowed: { values: ["plaintext", "conversation", "diffusion", "classification", "dpo"], open: false },
    description: "Kind of training sample.",
  },
  {
    paths: inEvery("data.datasets_type"),
    type: "str",
    default: "mapping",
    allowed: { values: ["mapping", "iterable", "energon"], open: false },
    description: "Dataset implementation.",
    pitfall: "datasets_repeat in three shipped DiT configs is not a field.",
  },
  {
    paths: inEvery("data.multisource_datasets_type"),
    type: "str",
    default: "interleave",
    allowed: { values: ["interleave", "veomni_weighted_multisource"], open: false },
    description: "Dataset implementation in multi-source mode.",
  },
  {
    paths: inEvery("data.source_name"),
    type: "str",
    nullable: true,
    default: null,
    description: "Dataset name for the preprocessor registry.",
  },
  {
    paths: inEvery("data.dyn_bsz_buffer_size"),
    type: "int",
    default: 200,
    description: "Buffer size for dynamic batching.",
  },
  {
    paths: inEvery("data.text_keys"),
    type: "str",
    nullable: true,
    default: null,
    constraints: [
      "Default by data_type: plaintext content_split, conversation messages, classification text, dpo chosen; diffusion has no default and raises when unset.",
    ],
    description: "Column holding the text.",
  },
  {
    paths: { ...untilModelScoped("data.chat_template"), "model-scoped": "data.chat_template" },
    type: "str",
    default: "default",
    allowed: {
      values: [...textTemplates, ...sharedTemplates, ...Object.keys(multimodalTemplates)],
      open: true,
      onlyFor: multimodalTemplates,
    },
    description: "Chat template name.",
    pitfall: "Moved to model.chat_template by VeOmni #1125.",
  },
  { paths: inEvery("data.max_seq_len"), type: "int", default: 2048, description: "Maximum sequence length." },
  {
    paths: inEvery("data.silent_exception"),
    type: "bool",
    default: false,
    description: "Ignore loader exceptions (not implemented).",
  },
  { paths: inNested("data.dataloader"), type: "map", description: "DataLoader block." },
  {
    paths: inNested("data.dataloader.type", "data.dataloader_type"),
    type: "str",
    default: "native",
    allowed: { values: ["native"], open: false },
    description: "Loader type.",
  },
  {
    paths: inNested("data.dataloader.num_workers", "data.num_workers"),
    type: "int",
    default: 2,
    description: "Worker processes.",
  },
  {
    paths: inNested("data.dataloader.worker_num_threads"),
    type: "int",
    nullable: true,
    default: null,
    description: "Torch threads per worker.",
  },
  {
    paths: inNested("data.dataloader.prefetch_factor", "data.prefetch_factor"),
    type: "int",
    default: 2,
    constraints: ["Forced to null when num_workers is 0."],
    description: "Batches prefetched per worker.",
  },
  {
    paths: inNested("data.dataloader.persistent_workers"),
    type: "bool",
    default: false,
    description: "Keep workers alive.",
  },
  { paths: inNested("data.dataloader.in_order"), type: "bool", default: true, description: "Return batches in order." },
  {
    paths: inNested("data.dataloader.drop_last", "data.drop_last"),
    type: "bool",
    default: true,
    description: "Drop the last short batch.",
  },
  {
    paths: inNested("data.dataloader.pin_memory", "data.pin_memory"),
    type: "bool",
    default: true,
    description: "Pin host memory.",
  },
  {
    paths: inNested("data.dataloader.use_background_prefetcher"),
    type: "bool",
    default: false,
    description: "Extra background prefetcher.",
  },
  {
    paths: inEvery("data.mm_configs"),
    type: "map(free)",
    nullable: true,
    default: {},
    trainers: ["VLM", "DiT"],
    description: "Multimodal input settings (free mapping).",
  },
  {
    paths: inEvery("data.offline_embedding_save_dir"),
    type: "str",
    nullable: true,
    default: null,
    trainers: ["DiT"],
    description: "Folder for offline embeddings.",
  },
  {
    paths: sinceAsync("data.data_transform"),
    type: "str",
    nullable: true,
    default: "dit_online",
    since: "VeOmni 0.1.12 (2026-09-09)",
    trainers: ["DiT"],
    description: "Name of the registered data transform.",
  },
  {
    paths: sinceAsync("data.log_sample"),
    type: "bool",
    default: true,
    since: "VeOmni 0.1.12 (2026-09-09)",
    trainers: ["DiT"],
    description: "Print the first micro-batch.",
  },
  { paths: inEvery("data.shuffle"), type: "bool", default: true, trainers: ["DiT"], description: "Shuffle." },
  {
    paths: inModel("data.dataset_repeat"),
    type: "bool",
    default: false,
    since: "after 2026-08-21",
    description: "Replay an iterable stream.",
  },
];
