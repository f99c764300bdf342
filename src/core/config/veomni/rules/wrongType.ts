import { followAlias } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { indentationBefore, lineBreakOf, replaceFix } from "../../document/edits.js";
import { indentationStep } from "../../document/placement.js";
import { quoteText } from "../../document/rawList.js";
import { unquotedPatterns } from "../../patterns/patternList.js";
import { pythonNumber } from "../../rules/field.js";
import type { Mismatch } from "../../rules/scalarMismatch.js";
import { type TypedKey, wrongTypeRule } from "../../rules/wrongType.js";
import { isBrokenNearby } from "../brokenNearby.js";
import { fieldName } from "../fields/fieldTable.js";
import type { TrainingField } from "../fields/trainingField.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { exponentOf } from "./exponentText.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** Texts in place of lists, and `1e-5`, have rules of their own. */
export const wrongType: TrainingRule = wrongTypeRule<TrainingContext, TrainingField>({
  explanation:
    "VeOmni converts nothing that it reads from YAML: PyYAML decides what a value is, and Python goes on with it. A non-empty text counts as true, a text in place of a number fails at its first use.",
  example: trainingExample({ train: ['micro_batch_size: "2"'] }),
  typeNames: { map: "a block" },
  written: ({ written }) => written,
  isOthers,
  severityOf: (_, _field, whenRead) => whenRead,
  nullMismatch,
  textForFloat: {
    message: "A text fails where it is used as a number.",
    number: /^\s*([-+]?\d{1,12}(?:\.\d{1,12})?)\s*(?:gi?b?)?\s*$/i,
  },
  strMismatch: ({ type, value }) => ({
    severity: "warning",
    message: type === "bool" ? "Unquoted, PyYAML reads a boolean." : "Unquoted, PyYAML reads a number.",
    replacements: type === "bool" ? [] : [quoteText(String(value))],
  }),
  singleValue: ({ type }) => (type.startsWith("map") ? "A single value is no block." : "A single value is no list."),
  fixes: fixesOf,
});

function isOthers({ document }: TrainingContext, { field, entry }: TypedKey<TrainingField>): boolean {
  if (field.type === "list[str]" && unquotedPatterns(document, entry.value).length > 0) return true;
  const isValueless = entry.value.span.start === entry.value.span.end;
  if (isValueless && isBrokenNearby(document, entry.keySpan)) return true;
  const node = followAlias(entry.value);
  const isNumber = field.type === "int" || field.type === "float";
  return isNumber && node.kind === "scalar" && node.value.type === "str" && exponentOf(node.value.value) !== undefined;
}

function fixesOf(
  context: TrainingContext,
  written: TypedKey<TrainingField>,
  { replacements }: Mismatch,
): readonly QuickFix[] {
  const { field, entry } = written;
  if (fieldName(field) === "train.optimizer") return blockFix(context, written);
  if (entry.value.kind === "alias") return [];
  return replacements.map((text) => replaceFix(`Write ${text}`, entry.value.span, text));
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

function nullMismatch(field: TrainingField): Mismatch | undefined {
  if (field.nullable === true) return undefined;
  const value = field.default;
  const isPlain = typeof value === "boolean" || typeof value === "string";
  const known = isPlain ? [String(value)] : typeof value === "number" ? [pythonNumber(field.type, value)] : [];
  const message = "It arrives as None, which does not stand for the default.";
  return { severity: "warning", message, replacements: field.type.startsWith("list") ? ["[]"] : known };
}
