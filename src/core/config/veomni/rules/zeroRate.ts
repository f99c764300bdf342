import { scalarOf } from "../../document/configNode.js";
import { dividesBy, isZero, zeroRateExplanation, zeroRateFinding } from "../../rules/zeroRate.js";
import { placedKey } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A learning rate of 0, by which the schedules divide. */
export const zeroRate: TrainingRule = {
  code: "zero-rate",
  severities: ["error"],
  explanation: zeroRateExplanation,
  example: trainingExample(
    { model: ["optimizer:", "  lr: 0.0", "  lr_decay_style: cosine"] },
    { model: ["optimizer:", "  lr: 0.0", "  lr_decay_style: constant"] },
  ),
  check: (context) => {
    const rate = placedKey(context, "train.optimizer.lr");
    if (rate === undefined || !isZero(scalarOf(rate.entry.value))) return [];
    const schedule = placedKey(context, "train.optimizer.lr_decay_style");
    const reason = dividesBy(
      schedule === undefined ? { type: "str", value: "constant" } : scalarOf(schedule.entry.value),
      scalarOf(placedKey(context, "train.optimizer.lr_warmup_ratio")?.entry.value),
    );
    if (reason === undefined) return [];
    return [zeroRateFinding(rate.entry.value.span, rate.path, reason, "lr_decay_style constant")];
  },
};
