import { type ConfigNode, entryOf, nodeAt, scalarOf, textOf } from "../../document/configNode.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { verlOptimizerTable } from "../fields/verlOptimizer.js";
import { tableOf } from "../writtenFields.js";

/** A learning rate of 0, by which VeOmni's schedules divide. */
export const zeroRate: BlockRule = {
  code: "zero-rate",
  severities: ["error"],
  explanation:
    "VeOmni's cosine and linear schedules divide the smallest learning rate by lr, and the warm-up of every schedule divides by it too, so lr 0 raises ZeroDivisionError while the scheduler is built. A constant schedule without warm-up takes it, and a critic that the run does not build (any estimator but gae) is not judged.",
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

/** verl's `need_critic`: `critic.enable`, else the estimator gae, which is the default. */
function buildsCritic(root: ConfigNode | undefined): boolean {
  const enable = nodeAt(root, ["critic", "enable"]);
  const switched = scalarOf(enable);
  if (enable !== undefined && switched?.type !== "null") return switched?.type === "bool" && switched.value;
  const estimator = nodeAt(root, ["algorithm", "adv_estimator"]);
  return estimator === undefined || textOf(estimator) === "gae";
}

type Scalar = ReturnType<typeof scalarOf>;

function isZero(value: Scalar): boolean {
  return (value?.type === "int" || value?.type === "float") && value.value === 0;
}

/** What divides by the rate: a schedule, or the warm-up; undefined where nothing does or nothing is known. */
export function dividesBy(schedule: Scalar, warmUpShare: Scalar): string | undefined {
  const name = schedule?.type === "str" ? schedule.value : undefined;
  if (name === "cosine" || name === "linear") return `the ${name} schedule`;
  const warmsUp = (warmUpShare?.type === "int" || warmUpShare?.type === "float") && warmUpShare.value > 0;
  return name === "constant" && warmsUp ? "the warm-up" : undefined;
}

/** `way` is a setting that takes a rate of 0. */
export function zeroRateFinding(span: Finding["span"], key: string, reason: string, way: string): Finding {
  const message = `${key} must be above 0: ${reason} divides by it, so building the scheduler raises ZeroDivisionError. ${way} without warm-up takes 0.`;
  return { span, severity: "error", message };
}
