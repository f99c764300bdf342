import { scalarOf } from "../document/configNode.js";
import type { Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { type FieldRange, pythonNumber, type Written } from "./field.js";
import type { Finding } from "./rule.js";

/** The finding on a number outside its bounds; a default that is a number can be written instead. */
export function rangeFindings(
  { path, entry, field }: Written,
  range: FieldRange | undefined,
  usual: unknown,
  severityOf: (value: number) => Severity,
): readonly Finding[] {
  const value = scalarOf(entry.value);
  if (field === undefined || range === undefined || (value?.type !== "int" && value?.type !== "float")) return [];
  if (isInside(value.value, range)) return [];
  const isWritable = typeof usual === "number" && entry.value.kind === "scalar";
  const known = isWritable ? [pythonNumber(field.type, usual)] : [];
  return [
    {
      span: entry.value.span,
      severity: severityOf(value.value),
      message: `${path} must be ${describeRange(range)}: ${range.failure}.`,
      fixes: known.map((text) => replaceFix(`Write the default, ${text}`, entry.value.span, text)),
    },
  ];
}

/** True for finite numbers within the bounds. */
function isInside(value: number, range: FieldRange): boolean {
  if (!Number.isFinite(value) || range.exclude?.includes(value) === true) return false;
  return value >= (range.minimum ?? Number.NEGATIVE_INFINITY) && value <= (range.maximum ?? Number.POSITIVE_INFINITY);
}

/** The bounds in words: `finite, at least 0`, or the one value that there is. */
function describeRange(range: FieldRange): string {
  if (range.minimum !== undefined && range.minimum === range.maximum) return String(range.minimum);
  const parts: string[] = [];
  if (range.minimum !== undefined) parts.push(`at least ${range.minimum}`);
  if (range.maximum !== undefined) parts.push(`at most ${range.maximum}`);
  if (range.exclude !== undefined) parts.push(`other than ${range.exclude.join(", ")}`);
  return `finite, ${parts.join(" and ")}`;
}
