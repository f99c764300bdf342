import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import { textFindings } from "../../rules/textInsteadOfList.js";
import type { BlockRule } from "../blockRule.js";
import type { EngineBlock } from "../engineBlock.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { severityFor } from "../severity.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";

/** A text where a list belongs: Python iterates it character by character. */
export const textInsteadOfList: BlockRule = {
  code: "text-instead-of-list",
  severities: ["warning", "error", "information"],
  explanation:
    "The engine calls list() on the value, and a text becomes its single characters. A * among them then selects the root and every top-level module, so training starts with wrong hooks; without one nothing matches, which is a ValueError.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: model.layers.*"),
  check: ({ block }) => writtenFields(block).flatMap((written) => findingsFor(block, written)),
};

function findingsFor(block: EngineBlock, written: WrittenField): readonly Finding[] {
  const { field } = written;
  if (field === undefined) return [];
  return textFindings(written, field.key === "activation_offload_modules", (isFatal) =>
    severityFor(block, field, isFatal && asyncSwitchOf(block) === "on" ? "error" : "warning"),
  );
}
