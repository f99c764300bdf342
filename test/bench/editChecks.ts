import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { checkDocument } from "../../src/core/config/check.js";
import { analyseText } from "../../src/extension/document/analyseText.js";
import type { Comparison } from "./comparison.js";

/*
 * What an edit costs: full diagnostics beside one bare parse of the same text, for short and long files, right ones and ones with
 * a mistake in every tenth line, at most 40. The promise is twice the parse. It holds as well for
 * all that the editor reads from the same parse: diagnostics, outline, symbols, folds, hints, settings.
 */

const mostRatio = 2;
const lengths = [40, 200, 2_000, 5_000] as const;
const mostMistakes = 40;

export interface LimitedComparison extends Comparison {
  readonly mostRatio: number;
}

/** Blocks of other keys, as a composed file has them. */
function withFiller(lines: readonly string[], length: number, indentation = ""): string {
  const all = [...lines];
  for (let at = 0; all.length < length; at += 1) {
    const block = [
      `extra_${at}:`,
      "  # what it is for",
      `  path: /data/part-${at}`,
      `  ratio: 0.${at}`,
      `  tags: [a, "c${at}"]`,
    ];
    all.push(...block.map((line) => indentation + line));
  }
  return all.slice(0, length).join("\n");
}

/** Misspelt keys take part in the dearest work: the search for the nearest spelling, and the fixes. */
function mistakes(count: number, indentation: string, key: string): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${indentation}${key}_${at}: true`);
}

function verlText(length: number, mistakeCount: number): string {
  const lines = readFileSync(join(process.cwd(), "media", "sample", "veomni.yaml"), "utf8")
    .trimEnd()
    .split("\n");
  const block = lines.indexOf("    veomni:");
  lines.splice(block + 1, 0, ...mistakes(mistakeCount, "      ", "enable_async_activaton_offload"));
  return withFiller(lines, length);
}

/** Ends in a mapping that takes any key; elsewhere each key of the filler would be a mistake. */
function trainingText(length: number, mistakeCount: number): string {
  const lines = [
    "data: {train_path: corpus.parquet}",
    "train:",
    ...mistakes(mistakeCount, "  ", "max_stepz"),
    "  accelerator:",
    "    offload_config:",
    "      enable_async_activation: true",
    '      activation_offload_modules: ["model.layers.{*}"]',
    "  gradient_checkpointing: {enable: true, enable_reentrant: false}",
    "model:",
    "  model_path: Qwen3-8B",
    "  lora_config:",
  ];
  return withFiller(lines, length, "    ");
}

function comparison(name: string, text: string, mistakeCount: number): LimitedComparison {
  const found = checkDocument("experiment.yaml", text)?.diagnostics.length ?? 0;
  if (found < mistakeCount) throw new Error(`${name}: the mistakes are not found`);
  const lines = text.split("\n").length.toLocaleString("en");
  return {
    ours: `full diagnostics of ${name}`,
    reference: "the `yaml` package parsing the same text",
    input: `${lines} lines, ${found} findings`,
    mostRatio,
    run: () => checkDocument("experiment.yaml", text),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}

/** Every dialect, length and state. */
export const editChecks: readonly (() => LimitedComparison)[] = lengths.flatMap((length) =>
  [0, Math.min(mostMistakes, length / 10)].flatMap((wrong) => [
    () => comparison("a verl file", verlText(length, wrong), wrong),
    () => comparison("a training file", trainingText(length, wrong), wrong),
  ]),
);

function analysis(name: string, text: string): LimitedComparison {
  const request = { path: "experiment.yaml", isYaml: true, text, options: {} };
  if (analyseText(request).reading === undefined) throw new Error(`${name} is not recognised`);
  return {
    ours: `everything that the editor learns from ${name}`,
    reference: "the `yaml` package parsing the same text",
    input: `${text.split("\n").length.toLocaleString("en")} lines`,
    mostRatio,
    run: () => analyseText(request),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}

/** Diagnostics, outline and settings of one edit, from one parse. */
export const editAnalyses: readonly (() => LimitedComparison)[] = [200, 2_000].flatMap((length) => [
  () => analysis("a verl file", verlText(length, 0)),
  () => analysis("a training file", trainingText(length, 0)),
]);
