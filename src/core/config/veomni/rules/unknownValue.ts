import type { Severity } from "../../document/diagnostic.js";
import { type KnownValues, valueFindings } from "../../rules/unknownValue.js";
import type { TrainingValues } from "../fields/trainingField.js";
import type { LayoutId } from "../layout.js";
import { isTextTrainerPath } from "../trainer.js";
import type { TrainingContext } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A text outside the values that a field takes. */
export const unknownValue: TrainingRule = {
  code: "unknown-value",
  severities: ["error", "warning", "hint"],
  explanation:
    "On the command line VeOmni checks values against its choices, in YAML it does not. Some fail later with a clear error, others quietly take another branch. Sets of kernels and templates can be extended.",
  example: trainingExample({ model: ["accelerator: {fsdp_config: {fsdp_mode: fsdp1}}"] }),
  check: (context) =>
    context.written.flatMap((written) => valueFindings(written, knownValues(context, written.field?.allowed))),
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

function knownValues(context: TrainingContext, allowed: TrainingValues | undefined): KnownValues | undefined {
  if (allowed === undefined) return undefined;
  const values = valuesIn(allowed, context.layout).filter((value) => isFor(context, allowed, value));
  return { values, severity: severityOf(allowed, context.layout), failure: allowed.failure };
}

/** What exactly the flat layout took is not known. */
function severityOf(allowed: TrainingValues, layout: LayoutId): Severity {
  if (allowed.open || (layout === "flat" && allowed.failure === undefined)) return "hint";
  return allowed.failure === undefined ? "warning" : "error";
}
