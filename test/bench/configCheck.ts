import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { checkDocument } from "../../src/core/config/check.js";
import type { Comparison } from "./comparison.js";
import type { LimitedComparison } from "./editChecks.js";

const targetLines = 2000;

/** The sample's configuration followed by blocks of other keys, as a composed Hydra file has them. */
function longConfig(): string {
  const sample = readFileSync(join(process.cwd(), "media", "sample", "veomni.yaml"), "utf8");
  const lines = sample.split("\n");
  for (let at = 0; lines.length < targetLines; at += 1) {
    lines.push(
      `extra_${at}:`,
      `  # what it is for`,
      `  path: /data/part-${at}`,
      `  ratio: 0.${at}`,
      `  tags: [a, b, "c${at}"]`,
    );
  }
  return lines.join("\n");
}

export function configCheck(): Comparison {
  const text = longConfig();
  if (checkDocument("veomni.yaml", text) === undefined) throw new Error("the configuration is not recognised");
  return {
    ours: "check of a configuration, all rules",
    reference: "the `yaml` package parsing the same text",
    input: `${text.split("\n").length.toLocaleString("en")} lines`,
    run: () => checkDocument("veomni.yaml", text),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}

/** VeOmni's own training YAML of a usual length, each third line a key that no layout has. */
export function trainingCheck(): LimitedComparison {
  const blocks = Array.from(
    { length: 40 },
    (_, at) => `  extra_${at}:\n    path: /data/part-${at} # a comment\n    on: [1, 2]\n`,
  );
  const text = `# offload-lens: layout=flat\nmodel:\n  model_path: Qwen3-8B\n  optimizer: {lr: 1.0e-5}\ndata:\n  train_path: data.jsonl\ntrain:\n  max_steps: 10\n${blocks.join("")}`;
  if (checkDocument("train.yaml", text) === undefined) throw new Error("the training config is not recognised");
  return {
    ours: "check of VeOmni's training YAML with 40 unknown keys",
    mostRatio: 2,
    reference: "the `yaml` package parsing the same text",
    input: `${text.split("\n").length.toLocaleString("en")} lines`,
    run: () => checkDocument("train.yaml", text),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}

/** The same settings as overrides of a script, beside the check of the YAML file. */
export function scriptCheck(): Comparison {
  const sample = join(process.cwd(), "media", "sample");
  const script = readFileSync(join(sample, "run_grpo.sh"), "utf8");
  const yaml = readFileSync(join(sample, "veomni.yaml"), "utf8");
  if (checkDocument("run_grpo.sh", script) === undefined) throw new Error("the script is not recognised");
  return {
    ours: "check of the sample's script",
    reference: "check of the sample's configuration",
    input: `${script.split("\n").length} lines`,
    run: () => checkDocument("run_grpo.sh", script),
    runReference: () => checkDocument("veomni.yaml", yaml),
  };
}
