import { nearestSpelling } from "../../../base/spelling.js";
import { isDeferred, textOf } from "../../document/configNode.js";
import type { Severity } from "../../document/diagnostic.js";
import { replaceFix } from "../../document/edits.js";
import type { Finding } from "../../rules/rule.js";
import type { TrainingValues } from "../fields/trainingField.js";
import type { LayoutId } from "../layout.js";
import { isTextTrainerPath } from "../trainer.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A text outside the values that a field takes. */
export const unknownValue: TrainingRule = {
  code: "unknown-value",
  severities: ["error", "warning", "hint"],
  explanation:
    "On the command line VeOmni checks values against its choices, in YAML it does not. Some fail later with a clear error, others quietly take another branch. Sets of kernels and templates can be extended.",
  example: trainingExample({ model: ["accelerator: {fsdp_config: {fsdp_mode: fsdp1}}"] }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

/** The values that a layout takes. */
export function valuesIn(allowed: TrainingValues, layout: LayoutId): readonly string[] {
  return allowed.values.filter((value) => allowed.onlyIn?.[value]?.includes(layout) ?? true);
}

/** A value of other trainers; where the file does not say which trainer it is for, any may be. */
function isFor(context: TrainingContext, allowed: TrainingValues | undefined, value: string): boolean {
  const kinds = allowed?.onlyFor?.[value];
  if (kinds === undefined) return true;
  if (context.trainers.length === 0) return !isTextTrainerPath(context.path);
  return kinds.some((kind) => context.trainers.includes(kind));
}

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const { field, entry, path } = written;
  const text = textOf(entry.value);
  if (field?.allowed === undefined || text === undefined || isDeferred(entry.value)) return [];
  const values = valuesIn(field.allowed, context.layout).filter((value) => isFor(context, field.allowed, value));
  if (values.includes(text)) return [];
  const nearest = nearestSpelling(text, values);
  const reason = field.allowed.failure === undefined ? "" : ` (${field.allowed.failure})`;
  const suggestion = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return [
    {
      span: entry.value.span,
      severity: severityOf(field.allowed, context.layout),
      message: `${path} has no value ${shown(text)}${reason}; known: ${values.join(", ")}.${suggestion}`,
      fixes:
        nearest === undefined || entry.value.kind !== "scalar"
          ? []
          : [replaceFix(`Write ${nearest}`, entry.value.span, nearest)],
    },
  ];
}

/** What exactly the flat layout took is not known. */
function severityOf(allowed: TrainingValues, layout: LayoutId): Severity {
  if (allowed.open || (layout === "flat" && allowed.failure === undefined)) return "hint";
  return allowed.failure === undefined ? "warning" : "error";
}

function shown(text: string): string {
  return text.length <= 60 ? `"${text}"` : `"${text.slice(0, 60)}…"`;
}
