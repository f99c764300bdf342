import type { Severity } from "../../document/diagnostic.js";
import type { Finding } from "../../rules/rule.js";
import { isBrokenNearby } from "../brokenNearby.js";
import { refusesUnknownKeys } from "../layout.js";
import { type StrayWrittenKey, startedTask, type TrainingContext } from "../trainingContext.js";
import { relocateFix, removeKeyFix } from "../trainingFixes.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import { recordedUpTo, shortKey, strayKeySeverity, type TrainingRule, unknownKeyConsequence } from "./trainingRule.js";

/** A key that no layout has, with the nearest one, or the block where a key of that name belongs. */
export const unknownKey: TrainingRule = {
  code: "unknown-key",
  severities: ["error", "warning", "information", "hint"],
  explanation:
    "Until VeOmni #1090 the parser ignores YAML keys that it does not know, so the default stays in force. Since then it stops and lists them. Certain is only what lies near a key that exists; another one may belong to a later VeOmni or, on a command line, to the task itself.",
  example: trainingExample({ train: ["max_stesp: 5"] }),
  check: (context) => context.strays.flatMap((stray) => findingFor(context, stray)),
};

function findingFor(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  if (found.kind !== "unknown" || isBrokenNearby(context.document, written.entry.keySpan)) return [];
  const dot = written.path.lastIndexOf(".") + 1;
  const target = found.nearest === undefined ? found.target : written.path.slice(0, dot) + found.nearest;
  const span = written.entry.keySpan;
  if (target === undefined)
    return [{ span, severity: severityAlone(context), message: messageAlone(context, written) }];
  const removal = startedTask(context)?.kind === "open" ? [] : removeKeyFix(context, written);
  return [
    {
      span,
      severity: strayKeySeverity(context),
      message: `VeOmni has no key ${shortKey(written.path)}; ${unknownKeyConsequence(context)}. Did you mean ${target}?`,
      fixes: [...relocateFix(context, written, target), ...removal],
    },
  ];
}

/** A key that is near nothing may be one of a later VeOmni, or of a task with arguments of its own; whoever wrote it wants it. */
function severityAlone(context: TrainingContext): Severity {
  if (startedTask(context)?.kind === "open") return "hint";
  return context.layout === "flat" && context.carrier.kind === "yaml" ? "information" : "warning";
}

function messageAlone(context: TrainingContext, { path }: WrittenKey): string {
  const key = shortKey(path);
  if (startedTask(context)?.kind === "open") {
    return `${key} is not a key of ${recordedUpTo}; the task that starts here may declare it.`;
  }
  if (context.layout === "flat") {
    return `${key} is no key of the flat layout as far as it is known; ${unknownKeyConsequence(context)}.`;
  }
  return `${key} is not a key of ${recordedUpTo}; a version that lacks it ${withoutKey(context)}.`;
}

function withoutKey({ carrier, layout }: TrainingContext): string {
  return carrier.kind === "flag" || refusesUnknownKeys(layout) ? "stops at it" : "ignores it without a word";
}
