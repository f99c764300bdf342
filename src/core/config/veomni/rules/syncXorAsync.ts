import type { Finding } from "../../rules/rule.js";
import { writtenOn } from "../effectiveValue.js";
import { asyncSwitch, syncSwitch } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Both modes of activation offload. */
export const syncXorAsync: TrainingRule = {
  code: "sync-xor-async",
  severities: ["error"],
  explanation:
    "enable_activation and enable_async_activation exclude each other; VeOmni raises ValueError when both are on.",
  example: trainingExample({ model: offloadLines("enable_activation: true", "enable_async_activation: true") }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const sync = writtenOn(context, syncSwitch);
  const stream = writtenOn(context, asyncSwitch);
  if (sync === undefined || stream === undefined) return [];
  return [
    {
      span: sync.entry.span,
      severity: "error",
      message: "Synchronous and stream-based activation offload exclude each other: VeOmni raises ValueError.",
      fixes: [...setKeyFix(context, syncSwitch, "false"), ...setKeyFix(context, asyncSwitch, "false")],
    },
  ];
}
