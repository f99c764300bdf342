import type { Severity } from "../../document/diagnostic.js";
import type { Finding } from "../../rules/rule.js";
import { tasksDeclaring } from "../fields/taskKeys.js";
import type { TrainerKind } from "../fields/trainingField.js";
import { refusesUnknownKeys } from "../layout.js";
import { likelyTasks } from "../likelyTasks.js";
import { isTextTrainerPath } from "../trainer.js";
import { type StrayWrittenKey, startedTask, type TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import { shortKey, strayKeySeverity, type TrainingRule, unknownKeyConsequence } from "./trainingRule.js";

/** A key of another trainer than the one that the file is written for. */
export const otherTrainer: TrainingRule = {
  code: "other-trainer",
  severities: ["information", "warning", "error", "hint"],
  explanation:
    "DPO, diffusion and vision-language trainers add keys of their own, and so do some of the tasks that VeOmni ships; the others do not know them.",
  example: trainingExample(
    { train: ["training_task: online_training", "vit_lr: 1.0e-6"] },
    { train: ["training_task: online_training"] },
  ),
  check: (context) => [...ofTrainers(context), ...context.strays.flatMap((stray) => ofTasks(context, stray))],
};

const trainerNames: Readonly<Record<TrainerKind, string>> = {
  DPO: "the DPO trainer",
  DiT: "the diffusion trainer",
  VLM: "the vision-language trainer",
};

function ofTrainers(context: TrainingContext): readonly Finding[] {
  if (context.carrier.kind === "flag" || (context.trainers.length === 0 && !isTextTrainerPath(context.path))) return [];
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

/** A key that the argument classes of single tasks add. */
function ofTasks(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  const tasks = tasksDeclaring(written.path);
  const started = startedTask(context);
  const isStarted = started?.kind === "recorded" && tasks.includes(started.task);
  const isLikely = likelyTasks(context).some((task) => tasks.includes(task));
  if (isStarted || (found.kind !== "task" && !isLikely)) return [];
  const names = tasks.map(({ path }) => path).join(" and ");
  return [
    {
      span: written.entry.keySpan,
      severity: severityOf(context),
      message: `Of VeOmni's tasks (2026-08-21) only ${names} declares ${shortKey(written.path)}; with any other, ${unknownKeyConsequence(context)}.`,
    },
  ];
}

/** Which task reads a file is not written in it. */
function severityOf(context: TrainingContext): Severity {
  if (startedTask(context) !== undefined) return strayKeySeverity(context);
  return refusesUnknownKeys(context.layout) ? "warning" : "information";
}
