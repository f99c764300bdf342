import type { scalarOf } from "../document/configNode.js";
import type { Finding } from "./rule.js";

/** What the schedules of VeOmni do with a rate of 0, under both frameworks. */
export const zeroRateExplanation =
  "VeOmni's cosine and linear schedules divide the smallest learning rate by lr, and the warm-up of every schedule divides by it too, so lr 0 raises ZeroDivisionError while the scheduler is built. A constant schedule without warm-up takes it, and a critic that the run does not build (any estimator but gae) is not judged.";

type Scalar = ReturnType<typeof scalarOf>;

/** True for a number that is 0. */
export function isZero(value: Scalar): boolean {
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
