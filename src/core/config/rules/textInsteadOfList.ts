import { followAlias, isDeferred, textOf } from "../document/configNode.js";
import type { Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { intendedText, quoteText, readRawList } from "../document/rawList.js";
import type { BlockRule } from "../verl/blockRule.js";
import type { FieldSpec } from "../verl/fields/fieldSpec.js";
import { asyncSwitchOf } from "../verl/offloadSwitch.js";
import type { EngineBlock } from "../verl/recognise.js";
import { severityFor } from "../verl/severity.js";
import { type WrittenField, writtenFields } from "../verl/writtenFields.js";
import { engineExample } from "./example.js";
import type { Finding } from "./rule.js";

/** A text where a list belongs: Python iterates it character by character. */
export const textInsteadOfList: BlockRule = {
  code: "text-instead-of-list",
  severities: ["warning", "error", "information"],
  explanation:
    "The engine calls list() on the value, and a text becomes its single characters. A * among them then selects the root and every top-level module, so training starts with wrong hooks; without one nothing matches, which is a ValueError.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: model.layers.*"),
  check: ({ block }) => writtenFields(block).flatMap((written) => findingFor(block, written)),
};

function findingFor(block: EngineBlock, written: WrittenField): readonly Finding[] {
  const { field, entry } = written;
  const text = textOf(entry.value);
  if (field?.type !== "list[str]" || text === undefined || isDeferred(entry.value)) return [];
  const list = `[${meantPatterns(text).map(quoteText).join(", ")}]`;
  return [
    {
      span: entry.value.span,
      severity: severityOf(block, field, text),
      message: `${written.key} must be a list. ${consequence(field, text)}`,
      fixes: entry.value === followAlias(entry.value) ? [replaceFix(`Write ${list}`, entry.value.span, list)] : [],
    },
  ];
}

function severityOf(block: EngineBlock, field: FieldSpec, text: string): Severity {
  const fails =
    field.key === "activation_offload_modules" && !text.includes("*") && text !== "" && asyncSwitchOf(block) === "on";
  return severityFor(block, field, fails ? "error" : "warning");
}

function consequence(field: FieldSpec, text: string): string {
  if (text === "") return "An empty text counts as an empty list.";
  if (field.key !== "activation_offload_modules") return "A text is taken apart into single characters.";
  return text.includes("*")
    ? "This text is taken apart into single characters, and its * selects the root and every top-level module."
    : "This text is taken apart into single characters, none of which matches a module.";
}

/** What the author meant: a list inside quotes, several patterns with commas, or one pattern. */
export function meantPatterns(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  const raw = readRawList(trimmed, 0);
  if (raw !== undefined && raw.end === trimmed.length) return raw.entries.map(intendedText);
  return trimmed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
