import { followAlias } from "../../document/configNode.js";
import { entriesNotText, kindOf, quoteEntryFixes } from "../../rules/listEntryNotString.js";
import type { Finding } from "../../rules/rule.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** An entry of a list of texts that is none. */
export const listEntryNotString: TrainingRule = {
  code: "list-entry-not-string",
  severities: ["error"],
  explanation:
    "VeOmni does not convert the entries of a list. A pattern that is a number, null, a list or a mapping ends in TypeError or AttributeError.",
  example: trainingExample({ model: offloadLines("activation_offload_modules: [model.layers.*, 3]") }),
  check: (context) => context.written.flatMap((written) => findingsFor(context, written)),
};

function findingsFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const list = followAlias(written.entry.value);
  if (list.kind !== "sequence" || written.field?.type !== "list[str]") return [];
  return entriesNotText(context.document, list).map((item) => ({
    span: item.span,
    severity: "error",
    message: `Every entry of ${written.path} must be a text; this one is ${kindOf(item)}.`,
    fixes: quoteEntryFixes(context.document.text, item),
  }));
}
