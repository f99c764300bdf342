import type { Finding } from "../../rules/rule.js";
import { isBrokenNearby } from "../brokenNearby.js";
import type { StrayWrittenKey, TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import { shortKey, type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key that no layout has, with the nearest one, or the block where a key of that name belongs. */
export const unknownKey: TrainingRule = {
  code: "unknown-key",
  severities: ["error", "warning", "information"],
  explanation:
    "Until VeOmni #1090 the parser ignores YAML keys that it does not know, so the default stays in force. Since then it stops and lists them.",
  example: trainingExample({ train: ["max_stesp: 5"] }),
  check: (context) => context.strays.flatMap((stray) => findingFor(context, stray)),
};

function findingFor(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  if (found.kind !== "unknown" || isBrokenNearby(context.document, written.entry.keySpan)) return [];
  const dot = written.path.lastIndexOf(".") + 1;
  const target = found.nearest === undefined ? found.target : written.path.slice(0, dot) + found.nearest;
  const isOpen = target === undefined && context.layout === "flat";
  const suggestion = target === undefined ? "" : ` Did you mean ${target}?`;
  return [
    {
      span: written.entry.keySpan,
      severity: isOpen ? "information" : unknownKeySeverity(context.layout),
      message: isOpen
        ? `${shortKey(written.path)} is no key of the flat layout as far as it is known; ${unknownKeyConsequence(context.layout)}.`
        : `VeOmni has no key ${shortKey(written.path)}; ${unknownKeyConsequence(context.layout)}.${suggestion}`,
      fixes: [
        ...(target === undefined ? [] : relocateFix(context, written, target)),
        ...removeKeyFix(context, written),
      ],
    },
  ];
}
