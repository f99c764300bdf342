import type { RuleExample } from "../../rules/rule.js";
import type { LayoutId } from "../layout.js";

/** Lines of a training config by block, each as it stands below its block. */
export interface TrainingParts {
  readonly pin?: LayoutId;
  readonly model?: readonly string[];
  readonly data?: readonly string[];
  readonly train?: readonly string[];
  /** Lines at the top level. */
  readonly top?: readonly string[];
}

/** A training config with these lines and with the keys that every config needs. */
export function trainingText(parts: TrainingParts): string {
  const block = (name: string, lines: readonly string[]) => [`${name}:`, ...lines.map((line) => `  ${line}`)];
  return [
    ...(parts.pin === undefined ? [] : [`# offload-lens: layout=${parts.pin}`]),
    ...block("model", ["model_path: Qwen3-8B", ...(parts.model ?? [])]),
    ...block("data", ["train_path: data.jsonl", ...(parts.data ?? [])]),
    ...block("train", ["max_steps: 10", ...(parts.train ?? [])]),
    ...(parts.top ?? []),
    "",
  ].join("\n");
}

/** The same as the example of a rule; `right` when no fix leads there. */
export function trainingExample(parts: TrainingParts, right?: TrainingParts): RuleExample {
  return { text: trainingText(parts), ...(right === undefined ? {} : { right: trainingText(right) }) };
}

/** The members of `offload_config` in the newest layout. */
export function offloadLines(...members: readonly string[]): readonly string[] {
  return ["accelerator:", "  offload_config:", ...members.map((member) => `    ${member}`)];
}
