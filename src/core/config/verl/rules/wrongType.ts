import { type ConfigNode, followAlias, isDeferred } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { replaceFix } from "../../document/edits.js";
import { quoteText } from "../../document/rawList.js";
import { unquotedPatterns } from "../../patterns/patternList.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import { boolMismatch, intMismatch, type Mismatch } from "../../rules/scalarMismatch.js";
import type { ScalarValue } from "../../yaml/plainScalar.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import type { EngineBlock } from "../engineBlock.js";
import type { FieldSpec, VerlFieldType } from "../fields/fieldSpec.js";
import { severityFor } from "../severity.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";

/** A value of another type than the dataclass says. Texts in place of lists have a rule of their own. */
export const wrongType: BlockRule = {
  code: "wrong-type",
  severities: ["error", "warning", "information"],
  explanation:
    "verl does not check types when it builds the engine config. Python then goes on with what it got: a non-empty text counts as true, a text in place of a number fails at its first use.",
  example: engineExample("enable_async_activation_offload: 'no'"),
  check: (context) =>
    writtenFields(context.block)
      .filter((written) => !isUnquotedPattern(context, written))
      .flatMap((written) => findingFor(context.block, written)),
};

/** `{*}` in place of a list is a pattern without quotes, which has a rule of its own. */
function isUnquotedPattern(context: BlockContext, written: WrittenField): boolean {
  return written.field?.type === "list[str]" && unquotedPatterns(context.document, written.entry.value).length > 0;
}

function findingFor(block: EngineBlock, written: WrittenField): readonly Finding[] {
  const { field, entry } = written;
  if (field === undefined || isDeferred(entry.value)) return [];
  const mismatch = mismatchOf(field, followAlias(entry.value));
  if (mismatch === undefined) return [];
  const span = entry.value.span.start === entry.value.span.end ? entry.keySpan : entry.value.span;
  return [
    {
      span,
      severity: severityFor(block, field, mismatch.severity),
      message: `${written.path} must be ${nameOf(field.type)}. ${mismatch.message}`,
      fixes: span === entry.keySpan ? [] : fixesOf(entry.value, mismatch.replacements),
    },
  ];
}

function fixesOf(value: ConfigNode, replacements: readonly string[]): readonly QuickFix[] {
  return replacements.map((text) => replaceFix(`Write ${text}`, value.span, text));
}

function mismatchOf(field: FieldSpec, node: ConfigNode): Mismatch | undefined {
  if (node.kind === "alias") return undefined;
  if (node.kind !== "scalar") return collectionMismatch(field, node.kind);
  const value = node.value;
  if (value.type === "null") return nullMismatch(field);
  if (field.type === "bool") return boolMismatch(value);
  if (field.type === "int") return intMismatch(value);
  if (field.type === "float") return floatMismatch(value);
  if (field.type === "str") return strMismatch(value);
  return nonCollectionMismatch(field, value);
}

function nullMismatch(field: FieldSpec): Mismatch | undefined {
  if (field.nullFailure === undefined) return undefined;
  const replacements = field.type === "list[str]" ? ["[]"] : [];
  return { severity: "error", message: `With null ${field.nullFailure}.`, replacements };
}

function floatMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str") {
    const number = /^\s*(\d{1,12}(?:\.\d{1,12})?)\s*(?:gi?b?)?\s*$/i.exec(value.value)?.[1];
    return {
      severity: "error",
      message: "A text ends in a TypeError where the number is used.",
      replacements: number === undefined ? [] : [number],
    };
  }
  if (value.type !== "bool") return undefined;
  return { severity: "warning", message: `The boolean counts as ${value.value ? "1" : "0"}.`, replacements: [] };
}

function strMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str" || value.type === "null") return undefined;
  const written = String(value.value);
  return { severity: "error", message: "No such value is known.", replacements: [quoteText(written)] };
}

function collectionMismatch(field: FieldSpec, kind: "mapping" | "sequence"): Mismatch | undefined {
  if (field.type === "map" && kind === "mapping") return undefined;
  if (field.type.startsWith("list") && kind === "sequence") return undefined;
  const what = kind === "mapping" ? "A mapping" : "A list";
  if (field.type === "bool") {
    return { severity: "warning", message: `${what} counts as true unless it is empty.`, replacements: [] };
  }
  if (field.type.startsWith("list")) {
    return { severity: "warning", message: "Of a mapping only the keys are taken.", replacements: [] };
  }
  return { severity: "error", message: `${what} fails at its first use.`, replacements: [] };
}

function nonCollectionMismatch(field: FieldSpec, value: ScalarValue): Mismatch | undefined {
  if (field.type === "list[str]" && value.type === "str") return undefined;
  return { severity: "error", message: "A single value fails at its first use.", replacements: [] };
}

function nameOf(type: VerlFieldType): string {
  const names: Record<VerlFieldType, string> = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    "list[str]": "a list of texts",
    "list[float]": "a list of numbers",
    map: "a mapping",
  };
  return names[type];
}
