import type { Finding } from "../../rules/rule.js";
import { numberOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { removeKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Prefetching without workers. */
export const prefetchWithoutWorkers: TrainingRule = {
  code: "prefetch-without-workers",
  severities: ["hint"],
  explanation: "prefetch_factor is forced to null when num_workers is 0.",
  example: trainingExample({ data: ["dataloader: {num_workers: 0, prefetch_factor: 4}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const prefetch = placedKey(context, "data.dataloader.prefetch_factor");
  if (prefetch === undefined || numberOf(context, "data.dataloader.num_workers") !== 0) return [];
  return [
    {
      span: prefetch.entry.span,
      severity: "hint",
      message: "prefetch_factor has no effect with num_workers 0.",
      fixes: removeKeyFix(context, prefetch),
    },
  ];
}
