import { type ConfigNode, followAlias } from "../../document/configNode.js";
import type { Severity } from "../../document/diagnostic.js";
import { entryFindings } from "../../patterns/listEntryNotString.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { severityFor } from "../severity.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";

/** An entry of a pattern or class list that is not a text. */
export const listEntryNotString: BlockRule = {
  code: "list-entry-not-string",
  severities: ["error", "warning", "information"],
  explanation:
    "The matcher searches each entry for {*} and splits it at dots. A number, null, list or mapping has neither, so the model build ends with TypeError or AttributeError.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: [{model.layers.*}]"),
  check: (context) => writtenFields(context.block).flatMap((written) => findingsFor(context, written)),
};

function findingsFor({ block, document }: BlockContext, written: WrittenField): readonly Finding[] {
  const { field, path } = written;
  if (field === undefined) return [];
  return entryFindings(document, written, (item) => severityFor(block, field, severityWhenRead(path, item)));
}

/** Class names go into a set: an odd scalar only never matches there. */
function severityWhenRead(path: string, item: ConfigNode): Severity {
  return path === "basic_modules" && followAlias(item).kind === "scalar" ? "warning" : "error";
}
