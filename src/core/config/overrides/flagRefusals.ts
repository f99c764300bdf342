import { shownWord } from "../../base/shownWord.js";
import type { Diagnostic, TextSpan } from "../document/diagnostic.js";
import type { HydraValue } from "../hydra/value.js";
import { diagnosticOf } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import { flagBoolean, flagInteger, flagNumber } from "../shell/veomniFlags.js";
import { fieldAt } from "../veomni/fields/fieldTable.js";
import type { TrainingField } from "../veomni/fields/trainingField.js";
import type { LayoutId } from "../veomni/layout.js";
import { unknownValue, valuesIn } from "../veomni/rules/unknownValue.js";
import { wrongType } from "../veomni/rules/wrongType.js";

interface Refusal {
  readonly code: string;
  readonly why: string;
}

/** What is left of the findings for YAML, and what the parser refuses in their place. */
interface Refusals {
  readonly kept: readonly Diagnostic[];
  readonly refused: readonly Diagnostic[];
}

/**
 * Puts what the argument parser refuses in the place of what the rules for YAML say of the same value: a flag is converted and
 * compared with its choices before anything starts, where a YAML value is not looked at. Fixes of the rules stay.
 */
export function withRefusals(
  layout: LayoutId,
  overrides: readonly Override[],
  diagnostics: readonly Diagnostic[],
): Refusals {
  let kept = diagnostics;
  const refused = overrides.flatMap((override) => {
    const field = fieldAt(layout, override.keyPath);
    const refusal = field === undefined ? undefined : refusalOf(field, layout, override.value);
    if (refusal === undefined) return [];
    const span = override.valueSpan.start < override.valueSpan.end ? override.valueSpan : override.keySpan;
    const same = kept.filter((each) => isWithin(each.span, override));
    kept = kept.filter((each) => !same.includes(each));
    const message = `${override.keyPath} ${refusal.why}; the argument parser stops.`;
    const fixes = same.flatMap((each) => each.fixes);
    return [diagnosticOf(refusal.code, { span: same[0]?.span ?? span, severity: "error", message, fixes })];
  });
  return { kept, refused };
}

function isWithin(span: TextSpan, { keySpan, valueSpan }: Override): boolean {
  return span.start >= keySpan.start && span.end <= Math.max(keySpan.end, valueSpan.end);
}

function refusalOf(field: TrainingField, layout: LayoutId, value: HydraValue | undefined): Refusal | undefined {
  if (value === undefined) return undefined;
  const { type } = field;
  if (value.kind === "bool") return type === "bool" || type.startsWith("map") ? undefined : wrong("needs a value");
  const items = value.kind === "list" ? value.items : [value];
  const isList = type.startsWith("list");
  if (!isList && items.length > 1 && !type.startsWith("map")) return wrong("takes one value");
  const itemType = isList ? type.slice("list[".length, -1) : type;
  for (const item of items) {
    if (item.kind !== "string") continue;
    const why = mismatch(itemType, item.text);
    if (why !== undefined) return wrong(why);
    if (!isList && isNoChoice(field, layout, item.text)) return notAmong(field, layout, item.text);
  }
  return undefined;
}

function wrong(why: string): Refusal {
  return { code: wrongType.code, why };
}

function mismatch(type: string, text: string): string | undefined {
  const shown = `"${shownWord(text, 40)}"`;
  if (type === "bool" && flagBoolean(text) === undefined) return `is true or false, and ${shown} is neither`;
  if (type === "int" && flagInteger(text) === undefined) return `is a whole number, and ${shown} is none`;
  if (type === "float" && flagNumber(text) === undefined) return `is a number, and ${shown} is none`;
  return undefined;
}

/** Plug-ins add to open sets, so only closed ones are choices of the parser. */
function isNoChoice({ allowed }: TrainingField, layout: LayoutId, text: string): boolean {
  return allowed !== undefined && !allowed.open && layout !== "flat" && !valuesIn(allowed, layout).includes(text);
}

function notAmong({ allowed }: TrainingField, layout: LayoutId, text: string): Refusal {
  const choices = allowed === undefined ? [] : valuesIn(allowed, layout);
  return { code: unknownValue.code, why: `has no value "${text.slice(0, 40)}"; its choices are ${choices.join(", ")}` };
}
