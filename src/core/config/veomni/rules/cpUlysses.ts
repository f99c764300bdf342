import type { Finding } from "../../rules/rule.js";
import { numberOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Two kinds of sequence parallelism. */
export const cpUlysses: TrainingRule = {
  code: "cp-ulysses",
  severities: ["error"],
  explanation: "cp_size above 1 excludes ulysses_size above 1.",
  example: trainingExample({ model: ["accelerator: {cp_size: 2, ulysses_size: 2}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const ring = placedKey(context, "train.accelerator.cp_size");
  const sizes = [numberOf(context, "train.accelerator.cp_size"), numberOf(context, "train.accelerator.ulysses_size")];
  if (ring === undefined || !sizes.every((size) => size !== undefined && size > 1)) return [];
  return [
    {
      span: ring.entry.span,
      severity: "error",
      message: "cp_size above 1 goes only with ulysses_size 1.",
      fixes: [
        ...setKeyFix(context, "train.accelerator.cp_size", "1"),
        ...setKeyFix(context, "train.accelerator.ulysses_size", "1"),
      ],
    },
  ];
}
