import { isDeferred } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import { lengthOf, switchOf } from "../effectiveValue.js";
import { asyncSwitch, moduleList } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { removeKeyFix, setKeyFix } from "../trainingFixes.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A module list that nothing reads. */
export const modulesNeedAsync: TrainingRule = {
  code: "modules-need-async",
  severities: ["warning"],
  explanation:
    "activation_offload_modules is only read in the stream-based mode; without enable_async_activation it is ignored.",
  example: trainingExample({ model: offloadLines("activation_offload_modules: [model.layers.*]") }),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const modules = placedKey(context, moduleList);
  if (modules === undefined || isDeferred(modules.entry.value) || lengthOf(context, moduleList) === 0) return [];
  if (switchOf(context, asyncSwitch) !== "off") return [];
  return [
    {
      span: modules.entry.keySpan,
      severity: "warning",
      message: "activation_offload_modules is ignored while enable_async_activation is off; nothing is offloaded.",
      fixes: [...setKeyFix(context, asyncSwitch, "true"), ...removeKeyFix(context, modules)],
    },
  ];
}
