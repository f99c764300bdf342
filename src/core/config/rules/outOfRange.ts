import { scalarOf } from "../document/configNode.js";
import type { QuickFix, Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import type { BlockRule } from "../verl/blockRule.js";
import type { FieldRange, FieldSpec } from "../verl/fields/fieldSpec.js";
import { asyncSwitchOf } from "../verl/offloadSwitch.js";
import type { EngineBlock } from "../verl/recognise.js";
import { type WrittenField, writtenFields } from "../verl/writtenFields.js";
import { engineExample } from "./example.js";
import type { Finding } from "./rule.js";

/** A number outside the bounds of the field table. */
export const outOfRange: BlockRule = {
  code: "out-of-range",
  severities: ["error", "information"],
  explanation:
    "Some numbers are checked at start-up. The host cache limit must be finite, not negative, and its byte count must fit sys.maxsize: at most 8589934591 units of 2^30 bytes.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_host_cache_limit_gb: -1"),
  check: ({ block }) => writtenFields(block).flatMap((written) => findingFor(block, written)),
};

function findingFor(block: EngineBlock, written: WrittenField): readonly Finding[] {
  const { field, entry } = written;
  const value = scalarOf(entry.value);
  if (field?.range === undefined || (value?.type !== "int" && value?.type !== "float")) return [];
  if (isInside(value.value, field.range)) return [];
  return [
    {
      span: entry.value.span,
      severity: severityOf(block, field, value.value),
      message: `${written.key} must be ${describeRange(field.range)}: ${field.range.failure}.`,
      fixes: fixesOf(field, written),
    },
  ];
}

/** True for finite numbers within the bounds. */
export function isInside(value: number, range: FieldRange): boolean {
  if (!Number.isFinite(value) || range.exclude?.includes(value) === true) return false;
  return value >= (range.minimum ?? Number.NEGATIVE_INFINITY) && value <= (range.maximum ?? Number.POSITIVE_INFINITY);
}

/** Only VeOmni applies the upper bound of the cache limit, and it looks at the limit only when offload is on. */
function severityOf(block: EngineBlock, field: FieldSpec, value: number): Severity {
  const onlyTooLarge = Number.isFinite(value) && value > (field.range?.maximum ?? Number.POSITIVE_INFINITY);
  return onlyTooLarge && asyncSwitchOf(block) === "off" ? "information" : "error";
}

/** The bounds in words: `finite, at least 0`. */
export function describeRange(range: FieldRange): string {
  const parts: string[] = [];
  if (range.minimum !== undefined) parts.push(`at least ${range.minimum}`);
  if (range.maximum !== undefined) parts.push(`at most ${range.maximum}`);
  if (range.exclude !== undefined) parts.push(`other than ${range.exclude.join(", ")}`);
  return `finite, ${parts.join(" and ")}`;
}

function fixesOf(field: FieldSpec, written: WrittenField): readonly QuickFix[] {
  if (typeof field.yamlDefault !== "number" || written.entry.value.kind !== "scalar") return [];
  const isWholeFloat = field.type === "float" && Number.isInteger(field.yamlDefault);
  const text = isWholeFloat ? field.yamlDefault.toFixed(1) : String(field.yamlDefault);
  return [replaceFix(`Write the default, ${text}`, written.entry.value.span, text)];
}
