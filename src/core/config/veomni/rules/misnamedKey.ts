import { strayKeyFindings } from "./strayKeyFindings.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A wrong key that shipped configs hold, and that others copied: `accelerator.offload`. */
export const misnamedKey: TrainingRule = {
  code: "misnamed-key",
  severities: ["error", "warning"],
  explanation:
    "Configs that VeOmni itself ships hold keys that no dataclass has, most often accelerator.offload in place of offload_config. They never had an effect; since VeOmni #1090 they stop the run.",
  example: trainingExample({ train: ["accelerator:", "  offload:", "    enable_activation: true"] }),
  check: (context) => strayKeyFindings(context, "misnamed"),
};
