import { booleanIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** An engine that shall train, built without optimizer. */
export const forwardOnlyActor: BlockRule = {
  code: "forward-only-actor",
  severities: ["error"],
  explanation:
    "forward_only builds the engine without optimizer and scheduler. On an engine that trains, train_batch asserts.",
  example: fileExample("actor_rollout_ref:", "  actor:", "    veomni:", "      forward_only: true"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, document } = context;
  const written = writtenField(block, "forward_only");
  if (written === undefined || (block.role !== "actor" && block.role !== "critic" && block.role !== "sft")) return [];
  if (booleanIn(document.root, block.mapping, "forward_only") !== true) return [];
  return [
    {
      span: written.entry.span,
      severity: "error",
      message: "forward_only leaves this engine without optimizer, and its first training batch fails an assertion.",
      fixes: setFix("Set forward_only to false", context, written.entry, "false"),
    },
  ];
}
