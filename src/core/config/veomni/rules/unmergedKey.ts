import { strayKeyFindings } from "./strayKeyFindings.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A key of a proposal that VeOmni did not merge. */
export const unmergedKey: TrainingRule = {
  code: "unmerged-key",
  severities: ["error", "warning"],
  explanation: "Open pull requests and forks know keys that VeOmni's main branch does not have.",
  example: trainingExample({ model: offloadLines("prefetch: 2") }),
  check: (context) => strayKeyFindings(context, "unmerged"),
};
