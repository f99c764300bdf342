import type { Finding } from "../../rules/rule.js";
import type { TrainerKind } from "../fields/trainingField.js";
import { isTextTrainerPath } from "../trainer.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A key of another trainer than the one that the file is written for. */
export const otherTrainer: TrainingRule = {
  code: "other-trainer",
  severities: ["information"],
  explanation:
    "DPO, diffusion and vision-language trainers add keys of their own; the other trainers do not know them.",
  example: trainingExample(
    { train: ["training_task: online_training", "vit_lr: 1.0e-6"] },
    { train: ["training_task: online_training"] },
  ),
  check: findingFor,
};

const trainerNames: Readonly<Record<TrainerKind, string>> = {
  DPO: "the DPO trainer",
  DiT: "the diffusion trainer",
  VLM: "the vision-language trainer",
};

function findingFor(context: TrainingContext): readonly Finding[] {
  if (context.trainers.length === 0 && !isTextTrainerPath(context.path)) return [];
  return context.written
    .filter((written) => isOther(context, written))
    .map(({ entry, path, field }) => ({
      span: entry.keySpan,
      severity: "information",
      message: `Only ${(field?.trainers ?? []).map((kind) => trainerNames[kind]).join(" and ")} reads ${path}; this file looks like one for ${lookOf(context)}.`,
    }));
}

function isOther(context: TrainingContext, { field }: WrittenKey): boolean {
  return field?.trainers !== undefined && !field.trainers.some((kind) => context.trainers.includes(kind));
}

function lookOf(context: TrainingContext): string {
  return context.trainers.length === 0
    ? "the text trainer"
    : context.trainers.map((kind) => trainerNames[kind]).join(" and ");
}
