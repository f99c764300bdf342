import { nearestSpelling } from "../../../base/spelling.js";
import { isDeferred, textOf } from "../../document/configNode.js";
import type { QuickFix, Severity } from "../../document/diagnostic.js";
import { replaceFix } from "../../document/edits.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockRule } from "../blockRule.js";
import type { FieldSpec } from "../fields/fieldSpec.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";

/** A text outside the values that a field takes. */
export const unknownValue: BlockRule = {
  code: "unknown-value",
  severities: ["error", "hint", "information"],
  explanation:
    "Closed sets are checked by the framework, which stops at any other value. Open sets can be extended by plug-ins, so another value there is only worth a look.",
  example: engineExample("router_replay:", "  mode: r3"),
  check: ({ block }) => writtenFields(block).flatMap(findingFor),
};

function findingFor(written: WrittenField): readonly Finding[] {
  const { field, entry } = written;
  const text = textOf(entry.value);
  if (field?.allowed === undefined || text === undefined || isDeferred(entry.value)) return [];
  if (field.allowed.values.includes(text)) return [];
  const nearest = nearestSpelling(text, field.allowed.values);
  const suggestion = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return [
    {
      span: entry.value.span,
      severity: severityOf(field),
      message: `${written.path} has no value ${short(text)}; known: ${field.allowed.values.join(", ")}.${suggestion}`,
      fixes: fixesFor(written, nearest),
    },
  ];
}

function severityOf(field: FieldSpec): Severity {
  if (field.allowed?.open === true) return "hint";
  return field.reader === "engine" ? "error" : "information";
}

function fixesFor(written: WrittenField, nearest: string | undefined): readonly QuickFix[] {
  if (nearest === undefined || written.entry.value.kind !== "scalar") return [];
  return [replaceFix(`Write ${nearest}`, written.entry.value.span, nearest)];
}

function short(text: string): string {
  return text.length <= 60 ? `"${text}"` : `"${text.slice(0, 60)}…"`;
}
