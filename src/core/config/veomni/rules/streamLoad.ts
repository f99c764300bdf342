import type { Finding } from "../../rules/rule.js";
import { switchOf, writtenOn } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { setKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Sharded loading of experts together with a broadcast from rank 0. */
export const streamLoad: TrainingRule = {
  code: "stream-load",
  severities: ["error"],
  explanation:
    "ep_sharded_stream_load requires broadcast_model_weights_from_rank0 false; its default is true, so both defaults clash as soon as the first is turned on (AssertionError).",
  example: trainingExample({ model: ["ep_sharded_stream_load: true"] }),
  check: findingFor,
};

const broadcast = "train.broadcast_model_weights_from_rank0";

function findingFor(context: TrainingContext): readonly Finding[] {
  const stream = writtenOn(context, "train.ep_sharded_stream_load");
  if (stream === undefined || switchOf(context, broadcast) !== "on") return [];
  return [
    {
      span: stream.entry.span,
      severity: "error",
      message: "ep_sharded_stream_load needs broadcast_model_weights_from_rank0 false, whose default is true.",
      fixes: setKeyFix(context, broadcast, "false"),
    },
  ];
}
