import { strayKeyFindings } from "./strayKeyFindings.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** verl's spelling of a key in VeOmni's own file. */
export const foreignKey: TrainingRule = {
  code: "foreign-key",
  severities: ["error", "warning"],
  explanation:
    "verl wraps VeOmni under names of its own: enable_async_activation_offload there is enable_async_activation here (mixed up in VeOmni #1127).",
  example: trainingExample({ model: offloadLines("enable_async_activation_offload: true") }),
  check: (context) => strayKeyFindings(context, "verl"),
};
