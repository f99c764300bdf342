import type { Severity } from "../../document/diagnostic.js";
import { engineExample } from "../../rules/example.js";
import { type KnownValues, valueFindings } from "../../rules/unknownValue.js";
import type { BlockRule } from "../blockRule.js";
import type { FieldSpec } from "../fields/fieldSpec.js";
import { writtenFields } from "../writtenFields.js";

/** A text outside the values that a field takes. */
export const unknownValue: BlockRule = {
  code: "unknown-value",
  severities: ["error", "hint", "information"],
  explanation:
    "Closed sets are checked by the framework, which stops at any other value. Open sets can be extended by plug-ins, so another value there is only worth a look.",
  example: engineExample("router_replay:", "  mode: r3"),
  check: ({ block }) => writtenFields(block).flatMap((written) => valueFindings(written, knownValues(written.field))),
};

function knownValues(field: FieldSpec | undefined): KnownValues | undefined {
  return field?.allowed && { values: field.allowed.values, severity: severityOf(field) };
}

function severityOf(field: FieldSpec): Severity {
  if (field.allowed?.open === true) return "hint";
  return field.reader === "engine" ? "error" : "information";
}
