import type { Problem } from "../../base/outcome.js";

/**
 * A problem that names a path as it was written where it named it as it was expanded: the value of a variable may be a secret, and
 * messages are copied into reports. `expanded` are the texts that stand for it, the longest first where they overlap.
 */
export function asWritten(problem: Problem, written: string, expanded: readonly string[]): Problem {
  const hidden = expanded.filter((text) => text !== "" && text !== written);
  const hide = (text: string) => hidden.reduce((shown, part) => shown.replaceAll(part, () => written), text);
  const { cause } = problem;
  return {
    ...problem,
    message: hide(problem.message),
    ...(cause === undefined ? {} : { cause: hide(cause) }),
    nextStep: hide(problem.nextStep),
  };
}
