import type { RuleExample } from "./rule.js";

/** An engine file with these lines. */
export function engineExample(...lines: readonly string[]): RuleExample {
  return { text: ["_target_: verl.workers.config.VeOmniEngineConfig", ...lines, ""].join("\n") };
}

/** A file with these lines as they are. */
export function fileExample(...lines: readonly string[]): RuleExample {
  return { text: [...lines, ""].join("\n") };
}

/** A script with these lines. */
export function scriptExample(...lines: readonly string[]): RuleExample {
  return { path: "run.sh", text: [...lines, ""].join("\n") };
}
