import type { Finding } from "../../rules/rule.js";
import { classifyKey } from "../classifyKey.js";
import type { TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import { shortKey, type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key that no layout has, with the nearest one, or the block where a key of that name belongs. */
export const unknownKey: TrainingRule = {
  code: "unknown-key",
  severities: ["error", "warning"],
  explanation:
    "Until VeOmni #1090 the parser ignores YAML keys that it does not know, so the default stays in force. Since then it stops and lists them.",
  example: trainingExample({ train: ["max_stesp: 5"] }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const found = classifyKey(written, context.layout);
  if (found?.kind !== "unknown") return [];
  const dot = written.path.lastIndexOf(".") + 1;
  const target = found.nearest === undefined ? found.target : written.path.slice(0, dot) + found.nearest;
  const suggestion = target === undefined ? "" : ` Did you mean ${target}?`;
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context.layout),
      message: `VeOmni has no key ${shortKey(written.path)}; ${unknownKeyConsequence(context.layout)}.${suggestion}`,
      fixes: [
        ...(target === undefined ? [] : relocateFix(context, written, target)),
        ...removeKeyFix(context, written),
      ],
    },
  ];
}
