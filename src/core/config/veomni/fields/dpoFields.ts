import { inEvery } from "../layout.js";
import type { TrainingField } from "./trainingField.js";

/** The DPO trainer. */
export const dpoFields: readonly TrainingField[] = [
  { paths: inEvery("dpo_config"), type: "map", trainers: ["DPO"], description: "DPO block." },
  {
    paths: inEvery("dpo_config.beta"),
    type: "float",
    default: 0.1,
    trainers: ["DPO"],
    description: "DPO temperature.",
  },
  {
    paths: inEvery("dpo_config.label_smoothing"),
    type: "float",
    default: 0.0,
    trainers: ["DPO"],
    description: "Label smoothing.",
  },
  {
    paths: inEvery("dpo_config.reference_free"),
    type: "bool",
    default: false,
    trainers: ["DPO"],
    description: "No reference model.",
  },
  {
    paths: inEvery("dpo_config.loss_type"),
    type: "str",
    default: "sigmoid",
    allowed: { values: ["sigmoid", "ipo"], open: false },
    trainers: ["DPO"],
    description: "Loss variant.",
  },
  {
    paths: inEvery("dpo_config.average_log_prob"),
    type: "bool",
    default: false,
    trainers: ["DPO"],
    description: "Average per token.",
  },
  {
    paths: inEvery("dpo_config.refer_model_precision"),
    type: "str",
    default: "bfloat16",
    allowed: { values: ["float32", "bfloat16"], open: false },
    trainers: ["DPO"],
    description: "Reference dtype.",
  },
];
