import { type ConfigNode, followAlias, isDeferred } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { indentationBefore, lineBreakOf, replaceFix } from "../../document/edits.js";
import { indentationStep } from "../../document/placement.js";
import { quoteText } from "../../document/rawList.js";
import { unquotedPatterns } from "../../patterns/patternList.js";
import { type FieldType, pythonNumber } from "../../rules/field.js";
import type { Finding } from "../../rules/rule.js";
import { boolMismatch, intMismatch, type Mismatch } from "../../rules/scalarMismatch.js";
import type { ScalarValue } from "../../yaml/plainScalar.js";
import { isBrokenNearby } from "../brokenNearby.js";
import { fieldName } from "../fields/fieldTable.js";
import type { TrainingField } from "../fields/trainingField.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { exponentOf } from "./exponentText.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A value of another type than the dataclass says. Texts in place of lists, and `1e-5`, have rules of their own. */
export const wrongType: TrainingRule = {
  code: "wrong-type",
  severities: ["error", "warning", "information"],
  explanation:
    "VeOmni converts nothing that it reads from YAML: PyYAML decides what a value is, and Python goes on with it. A non-empty text counts as true, a text in place of a number fails at its first use.",
  example: trainingExample({ train: ['micro_batch_size: "2"'] }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const { field, entry } = written;
  if (field === undefined || isDeferred(entry.value)) return [];
  if (field.type === "list[str]" && unquotedPatterns(context.document, entry.value).length > 0) return [];
  const mismatch = mismatchOf(field, followAlias(entry.value));
  if (mismatch === undefined) return [];
  const isValueless = entry.value.span.start === entry.value.span.end;
  if (isValueless && isBrokenNearby(context.document, entry.keySpan)) return [];
  const span = isValueless ? entry.keySpan : entry.value.span;
  return [
    {
      span,
      severity: mismatch.severity,
      message: `${written.path} must be ${nameOf(field.type)}. ${mismatch.message}`,
      fixes: span === entry.keySpan ? [] : fixesOf(context, written, mismatch),
    },
  ];
}

function fixesOf(context: TrainingContext, written: WrittenKey, mismatch: Mismatch): readonly QuickFix[] {
  const { field, entry } = written;
  if (field !== undefined && fieldName(field) === "train.optimizer") return blockFix(context, written);
  if (entry.value.kind === "alias") return [];
  return mismatch.replacements.map((text) => replaceFix(`Write ${text}`, entry.value.span, text));
}

/** `optimizer: adamw` of the flat layout becomes the block that the nested layouts want. */
function blockFix(context: TrainingContext, { entry, container }: WrittenKey): readonly QuickFix[] {
  const { text } = context.document;
  if (entry.value.kind !== "scalar" || entry.value.value.type !== "str") return [];
  const written = text.slice(entry.value.span.start, entry.value.span.end);
  const indentation = indentationBefore(text, entry.span.start);
  if (container.flow || indentation === undefined) {
    return [replaceFix(`Write {type: ${written}}`, entry.value.span, `{type: ${written}}`)];
  }
  const start = text.indexOf(":", entry.keySpan.end) + 1;
  const line = `${lineBreakOf(text)}${indentation}${indentationStep(context.document)}type: ${written}`;
  return [replaceFix(`Write type: ${written} below it`, { start, end: entry.value.span.end }, line)];
}

function mismatchOf(field: TrainingField, node: ConfigNode): Mismatch | undefined {
  if (node.kind === "alias") return undefined;
  if (node.kind !== "scalar") return collectionMismatch(field.type, node.kind);
  const value = node.value;
  if (value.type === "null") return nullMismatch(field);
  if (field.type === "bool") return boolMismatch(value);
  if (field.type === "int") return isExponent(value) ? undefined : intMismatch(value);
  if (field.type === "float") return isExponent(value) ? undefined : floatMismatch(value);
  if (field.type === "str") return strMismatch(value);
  if (field.type.startsWith("map")) return { ...fails("A single value is no block."), replacements: [] };
  return field.type === "list[str]" && value.type === "str" ? undefined : fails("A single value is no list.");
}

function isExponent(value: ScalarValue): boolean {
  return value.type === "str" && exponentOf(value.value) !== undefined;
}

function nullMismatch(field: TrainingField): Mismatch | undefined {
  if (field.nullable === true) return undefined;
  const value = field.default;
  const isPlain = typeof value === "boolean" || typeof value === "string";
  const known = isPlain ? [String(value)] : typeof value === "number" ? [pythonNumber(field.type, value)] : [];
  const message = "It arrives as None, which does not stand for the default.";
  return { severity: "warning", message, replacements: field.type.startsWith("list") ? ["[]"] : known };
}

function floatMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str") {
    const number = /^\s*([-+]?\d{1,12}(?:\.\d{1,12})?)\s*(?:gi?b?)?\s*$/i.exec(value.value)?.[1];
    return fails("A text fails where it is used as a number.", number === undefined ? [] : [number]);
  }
  if (value.type !== "bool") return undefined;
  return { severity: "warning", message: `The boolean counts as ${value.value ? "1" : "0"}.`, replacements: [] };
}

function strMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str" || value.type === "null") return undefined;
  const message = value.type === "bool" ? "Unquoted, PyYAML reads a boolean." : "Unquoted, PyYAML reads a number.";
  return { severity: "warning", message, replacements: value.type === "bool" ? [] : [quoteText(String(value.value))] };
}

function collectionMismatch(type: FieldType, kind: "mapping" | "sequence"): Mismatch | undefined {
  if (kind === "mapping" ? type.startsWith("map") : type.startsWith("list")) return undefined;
  const what = kind === "mapping" ? "A mapping" : "A list";
  if (type === "bool") {
    return { severity: "warning", message: `${what} counts as true unless it is empty.`, replacements: [] };
  }
  if (type.startsWith("list")) {
    return { severity: "warning", message: "Of a mapping only the keys are taken.", replacements: [] };
  }
  return fails(`${what} fails at its first use.`);
}

function fails(message: string, replacements: readonly string[] = []): Mismatch {
  return { severity: "error", message, replacements };
}

function nameOf(type: FieldType): string {
  const names: Record<FieldType, string> = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    "list[str]": "a list of texts",
    "list[int]": "a list of whole numbers",
    "list[float]": "a list of numbers",
    "list[bool]": "a list of booleans",
    map: "a block",
    "map(free)": "a mapping",
  };
  return names[type];
}
