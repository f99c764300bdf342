import { replaceFix } from "../../document/edits.js";
import { quoteText } from "../../document/rawList.js";
import { unquotedPatterns } from "../../patterns/patternList.js";
import { engineExample } from "../../rules/example.js";
import type { Mismatch } from "../../rules/scalarMismatch.js";
import { wrongTypeRule } from "../../rules/wrongType.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import type { FieldSpec } from "../fields/fieldSpec.js";
import { severityFor } from "../severity.js";
import { writtenFields } from "../writtenFields.js";

/** Texts in place of lists, and patterns without quotes there, have rules of their own. */
export const wrongType: BlockRule = wrongTypeRule<BlockContext, FieldSpec>({
  explanation:
    "verl does not check types when it builds the engine config. Python then goes on with what it got: a non-empty text counts as true, a text in place of a number fails at its first use.",
  example: engineExample("enable_async_activation_offload: 'no'"),
  typeNames: {},
  written: ({ block }) => writtenFields(block),
  isOthers: ({ document }, { field, entry }) =>
    field.type === "list[str]" && unquotedPatterns(document, entry.value).length > 0,
  severityOf: ({ block }, field, whenRead) => severityFor(block, field, whenRead),
  nullMismatch,
  textForFloat: {
    message: "A text ends in a TypeError where the number is used.",
    number: /^\s*(\d{1,12}(?:\.\d{1,12})?)\s*(?:gi?b?)?\s*$/i,
  },
  strMismatch: ({ value }) => ({
    severity: "error",
    message: "No such value is known.",
    replacements: [quoteText(String(value))],
  }),
  singleValue: () => "A single value fails at its first use.",
  fixes: (_, { entry }, { replacements }) =>
    replacements.map((text) => replaceFix(`Write ${text}`, entry.value.span, text)),
});

function nullMismatch(field: FieldSpec): Mismatch | undefined {
  if (field.nullFailure === undefined) return undefined;
  const replacements = field.type === "list[str]" ? ["[]"] : [];
  return { severity: "error", message: `With null ${field.nullFailure}.`, replacements };
}
