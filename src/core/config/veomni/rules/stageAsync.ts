import type { Finding } from "../../rules/rule.js";
import { textValueOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { removeKeyFix, setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A staging folder with asynchronous saving. */
export const stageAsync: TrainingRule = {
  code: "stage-async",
  severities: ["error"],
  explanation: "checkpoint.stage_dir excludes save_async.",
  example: trainingExample({ train: ["checkpoint: {stage_dir: /local, save_async: true}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const stage = placedKey(context, "train.checkpoint.stage_dir");
  const save = writtenOn(context, "train.checkpoint.save_async");
  if (stage === undefined || save === undefined || (textValueOf(context, "train.checkpoint.stage_dir") ?? "") === "")
    return [];
  return [
    {
      span: save.entry.span,
      severity: "error",
      message: "save_async does not go together with stage_dir.",
      fixes: [...setKeyFix(context, "train.checkpoint.save_async", "false"), ...removeKeyFix(context, stage)],
    },
  ];
}
