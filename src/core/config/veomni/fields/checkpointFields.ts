import { inModel, inNested, sinceAsync } from "../layout.js";
import type { TrainingField } from "./trainingField.js";

/** Saving and resuming. */
export const checkpointFields: readonly TrainingField[] = [
  { paths: inNested("train.checkpoint"), type: "map", description: "Checkpoint block." },
  {
    paths: inNested("train.checkpoint.output_dir", "train.output_dir"),
    type: "str",
    default: "output",
    description: "Output folder.",
  },
  {
    paths: inNested("train.checkpoint.manager", "train.ckpt_manager"),
    type: "str",
    default: "dcp",
    allowed: { values: ["dcp"], open: false },
    description: "Checkpoint backend.",
  },
  {
    paths: inNested("train.checkpoint.save_async", "train.save_async"),
    type: "bool",
    default: false,
    description: "Asynchronous save.",
  },
  {
    paths: inNested("train.checkpoint.dcp_save_to_lowest_rank"),
    type: "bool",
    default: false,
    description: "Write replicated shards from the lowest rank.",
  },
  {
    paths: inNested("train.checkpoint.load_path", "train.load_checkpoint_path"),
    type: "str",
    nullable: true,
    default: null,
    description: "Checkpoint to resume; auto finds the latest.",
  },
  {
    paths: inNested("train.checkpoint.save_steps", "train.save_steps"),
    type: "int",
    default: 0,
    description: "Steps between saves; 0 off.",
  },
  {
    paths: inNested("train.checkpoint.save_epochs", "train.save_epochs"),
    type: "int",
    default: 1,
    description: "Epochs between saves.",
  },
  {
    paths: inNested("train.checkpoint.hf_save_steps", "train.hf_save_steps"),
    type: "int",
    default: 0,
    description: "Steps between HF saves.",
  },
  {
    paths: inNested("train.checkpoint.hf_save_epochs", "train.hf_save_epochs"),
    type: "int",
    default: 0,
    description: "Epochs between HF saves.",
  },
  {
    paths: inNested("train.checkpoint.save_hf_weights", "train.save_hf_weights"),
    type: "bool",
    default: true,
    description: "Save HF weights at the end.",
  },
  {
    paths: sinceAsync("train.checkpoint.stage_dir"),
    type: "str",
    nullable: true,
    default: null,
    constraints: ["Not with save_async."],
    since: "VeOmni 0.1.12 (2026-09-09)",
    description: "Write checkpoints to a node-local folder first.",
  },
  {
    paths: inModel("train.checkpoint.save_timeout_seconds"),
    type: "int",
    nullable: true,
    default: null,
    ranges: [{ minimum: 1, failure: "save_timeout_seconds must be a positive integer (ValueError)" }],
    constraints: ["A positive whole number (ValueError)."],
    since: "after VeOmni 0.1.12",
    description: "Time limit of the collectives of a staged or asynchronous save.",
  },
];
