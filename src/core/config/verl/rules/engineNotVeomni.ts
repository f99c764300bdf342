import { shownWord } from "../../../base/shownWord.js";
import { asMapping, entryOf, isDeferred, type MappingEntry, textOf } from "../../document/configNode.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { setFix } from "./switchFixes.js";

/** A veomni block in a file that trains with another engine. */
export const engineNotVeomni: BlockRule = {
  code: "engine-not-veomni",
  severities: ["warning", "error"],
  explanation:
    "The veomni blocks exist only with model_engine: veomni, and the policy's strategy names the same engine. With another engine nothing reads them; on the command line Hydra even refuses their keys.",
  example: fileExample("model_engine: dp", "actor_rollout_ref:", "  actor:", "    veomni:", "      seed: 42"),
  check: (context) => [
    ...findingFor(context, entryOf(asMapping(context.document.root), "model_engine")),
    ...(context.block.role === "sft" ? [] : findingFor(context, entryOf(context.block.parent, "strategy"))),
  ],
};

function findingFor(context: BlockContext, entry: MappingEntry | undefined): readonly Finding[] {
  const chosen = textOf(entry?.value);
  if (entry === undefined || chosen === undefined || chosen === "veomni" || isDeferred(entry.value)) return [];
  const isRefused = isCertainOverride(context, entry);
  const refusal = isRefused ? " Hydra refuses the keys of the block, which this engine does not have." : "";
  return [
    {
      span: entry.span,
      severity: isRefused ? "error" : "warning",
      message: `${entry.key} is ${shownWord(chosen, 40)}, so ${shownWord(context.block.path)} is not used.${refusal}`,
      fixes: setFix(`Set ${entry.key} to veomni`, context, entry, "veomni"),
    },
  ];
}

/** A call that chooses the engine itself: the tree that Hydra composes then has no block for the keys. */
function isCertainOverride({ carrier }: BlockContext, entry: MappingEntry): boolean {
  return entry.key === "model_engine" && carrier.kind === "override" && carrier.arrivalOf(entry)?.isCertain === true;
}
