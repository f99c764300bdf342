import { engineExample } from "../../rules/example.js";
import type { RuleExample } from "../../rules/rule.js";

/** An engine file with offload on and these patterns. */
export function patternExample(...patterns: readonly string[]): RuleExample {
  return engineExample(
    "enable_async_activation_offload: true",
    "activation_offload_modules:",
    ...patterns.map((pattern) => `  - ${JSON.stringify(pattern)}`),
  );
}
