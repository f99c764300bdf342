import { asMapping, entryOf, nodeAt, textOf } from "../../document/configNode.js";
import { booleanIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { setFix } from "./switchFixes.js";

/** Padding to a fixed length in a run that distils from the teacher's top-K tokens. */
export const padTopkDistillation: BlockRule = {
  code: "pad-topk-distillation",
  severities: ["error"],
  explanation:
    "With pad_to_length, top-K distillation raises RuntimeError: the teacher's tensors are cut by a rule that does not know about the padding.",
  example: fileExample(
    "distillation:",
    "  enabled: true",
    "  distillation_loss: {loss_mode: forward_kl_topk}",
    "actor_rollout_ref:",
    "  actor:",
    "    pad_to_length: true",
    "    veomni: {}",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, document } = context;
  if (block.role !== "actor" || !distilsTopK(context)) return [];
  const place = [block.parent, block.mapping].find(
    (mapping) => booleanIn(document.root, mapping, "pad_to_length") === true,
  );
  const written = entryOf(place, "pad_to_length");
  if (written === undefined) return [];
  return [
    {
      span: written.span,
      severity: "error",
      message: "pad_to_length does not go together with top-K distillation: the run stops with RuntimeError.",
      fixes: setFix("Set pad_to_length to false", context, written, "false"),
    },
  ];
}

function distilsTopK({ document }: BlockContext): boolean {
  const distillation = asMapping(nodeAt(document.root, ["distillation"]));
  const mode = textOf(nodeAt(distillation, ["distillation_loss", "loss_mode"])) ?? "";
  return booleanIn(document.root, distillation, "enabled") === true && /top_?k/i.test(mode);
}
