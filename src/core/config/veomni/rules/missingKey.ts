import { isDeferred, scalarOf } from "../../document/configNode.js";
import { type Launch, pathFrom, startOf } from "../../document/launch.js";
import type { Finding } from "../../rules/rule.js";
import { textValueOf } from "../effectiveValue.js";
import type { TrainingContext } from "../trainingContext.js";
import { pathOf, placedKey } from "../trainingContext.js";
import type { TrainingRule } from "./trainingRule.js";

/** A key without which VeOmni does not start, which templates leave to the command line. */
export const missingKey: TrainingRule = {
  code: "missing-key",
  severities: ["information", "error"],
  explanation:
    "data.train_path is required, and so is one of model.config_path and model.model_path (ValueError), unless the command line gives them. Diffusion data has no default for text_keys. Where scripts that start the file are at hand they decide: nothing is said when their flags give the key, and it is an error when one starts the file without it.",
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
  const span = written?.entry.keySpan ?? holder.entry.keySpan;
  const flags = names.map((name) => pathOf(context, name) ?? name);
  const launches = launchesOf(context);
  const lacking = launches.find((launch) => launch.isCertain && !gives(launch, flags));
  if (lacking !== undefined) {
    const where = `${pathFrom(context.path, lacking.script)}, line ${lacking.line},`;
    const without = flags.map((flag) => `--${flag}`).join(" or ");
    return [{ span, severity: "error", message: `${message}, and ${where} starts this file without ${without}.` }];
  }
  if (launches.some((launch) => gives(launch, flags))) return [];
  return [{ span, severity: "information", message: `${message} (unless the command line gives it).` }];
}

interface LaunchOfFile extends Launch {
  readonly isCertain: boolean;
}

/** Launches of this file, and those that may be. */
function launchesOf({ path, options }: TrainingContext): readonly LaunchOfFile[] {
  return (options?.launches ?? []).flatMap((launch) => {
    const start = startOf(launch, path);
    return start === "none" ? [] : [{ ...launch, isCertain: start === "certain" }];
  });
}

function gives({ keys }: Launch, flags: readonly string[]): boolean {
  return keys.some((key) => flags.includes(key));
}

function isGiven(context: TrainingContext, name: string): boolean {
  const written = placedKey(context, name);
  if (written === undefined) return false;
  return isDeferred(written.entry.value) || scalarOf(written.entry.value)?.type !== "null";
}
