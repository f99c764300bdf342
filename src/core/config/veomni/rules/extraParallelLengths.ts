import type { Finding } from "../../rules/rule.js";
import { lengthOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Extra parallel dimensions that are described in part. */
export const extraParallelLengths: TrainingRule = {
  code: "extra-parallel-lengths",
  severities: ["error"],
  explanation: "The three extra_parallel_* lists must have equal length; ep is appended automatically.",
  example: trainingExample(
    { model: ["accelerator: {extra_parallel_sizes: [2, 2], extra_parallel_names: [emb]}"] },
    {
      model: [
        "accelerator: {extra_parallel_sizes: [2], extra_parallel_placement_innermost: [false], extra_parallel_names: [emb]}",
      ],
    },
  ),
  check: findingFor,
};

const lists = ["extra_parallel_sizes", "extra_parallel_placement_innermost", "extra_parallel_names"].map(
  (name) => `train.accelerator.${name}`,
);

function findingFor(context: TrainingContext): readonly Finding[] {
  const lengths = lists.map((name) => lengthOf(context, name));
  if (lengths.includes(undefined) || new Set(lengths).size === 1) return [];
  const longest = lists.reduce((best, name) =>
    (lengthOf(context, name) ?? 0) > (lengthOf(context, best) ?? 0) ? name : best,
  );
  const written = placedKey(context, longest);
  if (written === undefined) return [];
  return [
    {
      span: written.entry.keySpan,
      severity: "error",
      message: `extra_parallel_sizes, extra_parallel_placement_innermost and extra_parallel_names must have equal length; they have ${lengths.join(", ")}.`,
    },
  ];
}
