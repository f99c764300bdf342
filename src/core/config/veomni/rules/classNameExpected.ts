import { followAlias, textOf } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A module path in the list of class names. */
export const classNameExpected: TrainingRule = {
  code: "class-name-expected",
  severities: ["warning"],
  explanation:
    "basic_modules holds class names to shard besides model._no_split_modules. A path never matches, and the list does not affect activation offload.",
  example: trainingExample(
    { model: ["basic_modules: [model.layers.*]"] },
    { model: ["basic_modules: [Qwen3DecoderLayer]"] },
  ),
  check: findingFor,
};

function findingFor(context: TrainingContext): readonly Finding[] {
  const written = placedKey(context, "model.basic_modules");
  const list = written === undefined ? undefined : followAlias(written.entry.value);
  if (list?.kind !== "sequence") return [];
  return list.items
    .filter((item) => /[.*]/.test(textOf(item) ?? ""))
    .slice(0, 100)
    .map((item) => ({
      span: item.span,
      severity: "warning",
      message: "basic_modules holds class names, as Qwen3DecoderLayer; a path matches none.",
    }));
}
