import { isDeferred, scalarOf } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import type { TrainingRule } from "./trainingRule.js";

/** A key without which VeOmni does not start, which templates leave to the command line. */
export const missingKey: TrainingRule = {
  code: "missing-key",
  severities: ["information"],
  explanation:
    "data.train_path is required, and so is one of model.config_path and model.model_path (ValueError), unless the command line gives them. Diffusion data has no default for text_keys.",
  example: {
    text: "model:\n  ops_implementation: {}\ndata:\n  train_path: data.jsonl\ntrain:\n  max_steps: 10\n",
    right:
      "model:\n  model_path: Qwen3-8B\n  ops_implementation: {}\ndata:\n  train_path: data.jsonl\ntrain:\n  max_steps: 10\n",
  },
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  return [
    ...missing(context, "data", ["data.train_path"], "data.train_path is missing; VeOmni does not start without it"),
    ...missing(
      context,
      "model",
      ["model.model_path", "model.config_path"],
      "model.model_path or model.config_path must be given; VeOmni raises ValueError without both",
    ),
    ...(textValueOf(context, "data.data_type") === "diffusion"
      ? missing(
          context,
          "data",
          ["data.text_keys"],
          "data_type diffusion has no default for text_keys; VeOmni raises when it is unset",
        )
      : []),
  ];
}

function missing(
  context: TrainingContext,
  block: "model" | "data",
  names: readonly string[],
  message: string,
): readonly Finding[] {
  const holder = placedKey(context, block);
  if (holder === undefined || names.some((name) => isGiven(context, name))) return [];
  const written = names.map((name) => placedKey(context, name)).find((key) => key !== undefined);
  return [
    {
      span: written?.entry.keySpan ?? holder.entry.keySpan,
      severity: "information",
      message: `${message} (unless the command line gives it).`,
    },
  ];
}

function isGiven(context: TrainingContext, name: string): boolean {
  const written = placedKey(context, name);
  if (written === undefined) return false;
  return isDeferred(written.entry.value) || scalarOf(written.entry.value)?.type !== "null";
}
