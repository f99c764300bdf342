import type { Finding } from "../../rules/rule.js";
import { numberOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** The expert dimension outside FSDP. */
export const epOutside: TrainingRule = {
  code: "ep-outside",
  severities: ["error"],
  explanation: "ep_outside true with ep_size above 1 fails an assertion.",
  example: trainingExample({ model: ["accelerator: {ep_size: 4, ep_outside: true}"] }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const outside = writtenOn(context, "train.accelerator.ep_outside");
  if (outside === undefined || !((numberOf(context, "train.accelerator.ep_size") ?? 1) > 1)) return [];
  return [
    {
      span: outside.entry.span,
      severity: "error",
      message: "ep_outside with ep_size above 1 fails an assertion.",
      fixes: setKeyFix(context, "train.accelerator.ep_outside", "false"),
    },
  ];
}
