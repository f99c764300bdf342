import { type ConfigNode, followAlias, scalarOf } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { replaceFix } from "../../document/edits.js";
import { kindOf } from "../../patterns/listEntryNotString.js";
import type { FieldType } from "../../rules/field.js";
import type { Finding } from "../../rules/rule.js";
import type { WrittenKey } from "../writtenKeys.js";
import { exponentOf } from "./exponentText.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** An entry of another type than a list of numbers or booleans wants. */
export const listEntryType: TrainingRule = {
  code: "list-entry-type",
  severities: ["error"],
  explanation: "VeOmni does not convert the entries of a list; a text among numbers fails at the first calculation.",
  example: trainingExample({ model: ['optimizer: {betas: [0.9, "0.95"]}'] }),
  check: (context) => context.written.flatMap(findingsFor),
};

function findingsFor({ path, entry, field }: WrittenKey): readonly Finding[] {
  const list = followAlias(entry.value);
  const name = entryName(field?.type);
  if (list.kind !== "sequence" || field === undefined || name === undefined) return [];
  return list.items
    .filter((item) => !fits(field.type, item))
    .map((item) => ({
      span: item.span,
      severity: "error",
      message: `Every entry of ${path} must be ${name}; this one is ${kindOf(item)}.`,
      fixes: fixesFor(field.type, item),
    }));
}

function fits(type: FieldType, item: ConfigNode): boolean {
  const value = scalarOf(item);
  if (type === "list[bool]") return value?.type === "bool";
  if (type === "list[int]") return value?.type === "int";
  return value?.type === "int" || value?.type === "float";
}

function fixesFor(type: FieldType, item: ConfigNode): readonly QuickFix[] {
  const value = scalarOf(item);
  if (value?.type !== "str" || item.kind !== "scalar") return [];
  const plain = /^\s*([-+]?\d{1,12}(?:\.\d{1,12})?)\s*$/.exec(value.value)?.[1];
  const number = type === "list[float]" ? (exponentOf(value.value) ?? plain) : undefined;
  return number === undefined ? [] : [replaceFix(`Write ${number}`, item.span, number)];
}

/** What the entries of such a list are; `undefined` for other types. */
function entryName(type: FieldType | undefined): string | undefined {
  if (type === "list[bool]") return "true or false";
  if (type === "list[int]") return "a whole number";
  return type === "list[float]" ? "a number" : undefined;
}
