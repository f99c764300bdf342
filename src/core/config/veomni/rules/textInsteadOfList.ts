import type { Severity } from "../../document/diagnostic.js";
import { textFindings } from "../../rules/textInsteadOfList.js";
import { switchOf } from "../effectiveValue.js";
import { fieldName } from "../fields/fieldTable.js";
import { asyncSwitch, moduleList } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A text where a list of texts belongs: Python iterates it character by character. */
export const textInsteadOfList: TrainingRule = {
  code: "text-instead-of-list",
  severities: ["warning", "error", "information"],
  explanation:
    "A text in place of a list is taken apart into its characters. In a list of patterns a * among them selects the root and every top-level module; without one nothing matches, which is a ValueError.",
  example: trainingExample({
    model: offloadLines("enable_async_activation: true", "activation_offload_modules: model.layers.*"),
  }),
  check: (context) =>
    context.written.flatMap((written) => {
      const isPatterns = written.field !== undefined && fieldName(written.field) === moduleList;
      return textFindings(written, isPatterns, (isFatal) =>
        isPatterns ? severityOfPatterns(context, isFatal) : "warning",
      );
    }),
};

function severityOfPatterns(context: TrainingContext, isFatal: boolean): Severity {
  const state = switchOf(context, asyncSwitch);
  if (state === "off") return "information";
  return isFatal && state === "on" ? "error" : "warning";
}
