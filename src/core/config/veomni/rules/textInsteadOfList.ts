import { isDeferred, textOf } from "../../document/configNode.js";
import { replaceFix } from "../../document/edits.js";
import { quoteText } from "../../document/rawList.js";
import type { Finding } from "../../rules/rule.js";
import { meantPatterns } from "../../rules/textInsteadOfList.js";
import { switchOf } from "../effectiveValue.js";
import { fieldName } from "../fields/fieldTable.js";
import { asyncSwitch, moduleList } from "../offloadNames.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A text where a list of texts belongs: Python iterates it character by character. */
export const textInsteadOfList: TrainingRule = {
  code: "text-instead-of-list",
  severities: ["warning", "error", "information"],
  explanation:
    "A text in place of a list is taken apart into its characters. In a list of patterns a * among them selects the root and every top-level module; without one nothing matches, which is a ValueError.",
  example: trainingExample({
    model: offloadLines("enable_async_activation: true", "activation_offload_modules: model.layers.*"),
  }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const { field, entry, path } = written;
  const text = textOf(entry.value);
  if (field?.type !== "list[str]" || text === undefined || isDeferred(entry.value)) return [];
  const list = `[${meantPatterns(text).map(quoteText).join(", ")}]`;
  const isPatterns = fieldName(field) === moduleList;
  return [
    {
      span: entry.value.span,
      severity: isPatterns ? severityOfPatterns(context, text) : "warning",
      message: `${path} must be a list. ${consequence(isPatterns, text)}`,
      fixes: entry.value.kind === "scalar" ? [replaceFix(`Write ${list}`, entry.value.span, list)] : [],
    },
  ];
}

function severityOfPatterns(context: TrainingContext, text: string): "error" | "warning" | "information" {
  const state = switchOf(context, asyncSwitch);
  if (state === "off") return "information";
  return state === "on" && text !== "" && !text.includes("*") ? "error" : "warning";
}

function consequence(isPatterns: boolean, text: string): string {
  if (text === "") return "An empty text counts as an empty list.";
  if (!isPatterns) return "A text is taken apart into single characters.";
  return text.includes("*")
    ? "This text is taken apart into single characters, and its * selects the root and every top-level module."
    : "This text is taken apart into single characters, none of which matches a module.";
}
