import { entryOf, scalarOf } from "../../document/configNode.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import { dividesBy, isZero, zeroRateExplanation, zeroRateFinding } from "../../rules/zeroRate.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { verlOptimizerTable } from "../fields/verlOptimizer.js";
import { tableOf } from "../writtenFields.js";
import { buildsCritic } from "./buildsCritic.js";

/** A learning rate of 0, by which VeOmni's schedules divide. */
export const zeroRate: BlockRule = {
  code: "zero-rate",
  severities: ["error"],
  explanation: zeroRateExplanation,
  example: {
    ...fileExample("_target_: verl.workers.config.VeOmniOptimizerConfig", "lr: 0.0"),
    right: fileExample("_target_: verl.workers.config.VeOmniOptimizerConfig", "lr: 0.0", "lr_scheduler_type: constant")
      .text,
  },
  check: (context) => (tableOf(context.block) === verlOptimizerTable ? findingFor(context) : []),
};

function findingFor({ block, document }: BlockContext): readonly Finding[] {
  if (block.role === "critic" && !buildsCritic(document.root)) return [];
  const entry = entryOf(block.mapping, "lr");
  const rate = scalarOf(entry?.value);
  if (entry === undefined || !isZero(rate)) return [];
  const reason = dividesBy(
    scalarOf(entryOf(block.mapping, "lr_scheduler_type")?.value) ?? { type: "str", value: "cosine" },
    scalarOf(entryOf(block.mapping, "lr_warmup_steps_ratio")?.value),
  );
  return reason === undefined ? [] : [zeroRateFinding(entry.value.span, "lr", reason, "lr_scheduler_type constant")];
}
