// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { applyFix } from "../checkedText.js";
import { checkTrainingText, trainingSettingsIn } from "../ofText.js";
import { trainingFindings, trainingFixed, trainingFixture, trainingSummary } from "./checkedTraining.js";

const goodFiles = [
  "flat.good.yaml",
  "train-scoped.good.yaml",
  "train-scoped+async.good.yaml",
  "model-scoped.good.yaml",
  "model-scoped+template.good.yaml",
  "dpo.good.yaml",
  "configs/dit/ltx2_low_vram.yaml",
  "configs/multimodal/omni/vlm.yaml",
];

describe("checkVeomniDocument", () => {
  it.each(goodFiles)("finds nothing in %s", (name) => {
    expect(trainingSummary(trainingFixture(name), undefined, name)).toEqual([]);
  });

  it("names the layout as dialect, follows an option, and is reached through checkDocument", () => {
    const text = trainingFixture("train-scoped.good.yaml");
    expect(checkDocument("x.yaml", text)?.dialect).toBe("train-scoped");
    const asNewest = checkDocument("x.yaml", text, { layout: "model-scoped" });
    expect(asNewest?.dialect).toBe("model-scoped");
    expect(asNewest?.diagnostics.map((each) => each.code)).toEqual([
      "moved-key",
      "mixed-layouts",
      "moved-key",
      "moved-key",
      "moved-key",
    ]);
  });

  it("is silent on lists of data sources and other files", () => {
    const name = "configs/multimodal/data/mixture.yaml";
    expect(checkTrainingText(name, trainingFixture(name))).toBeUndefined();
    expect(checkTrainingText("x.yaml", "a: 1\n")).toBeUndefined();
  });

  it("reports what is wrong in one file, in text order", () => {
    expect(trainingSummary(trainingFixture("many.bad.yaml"))).toEqual([
      "information missing-key|model",
      "error sync-xor-async|enable_activation: yes",
      "error unquoted-pattern|model.layers.{*}",
      "error wrong-type|4GB",
      "hint gpu-limit-async|activation_gpu_limit",
      "error unmerged-key|prefetch",
      'warning wrong-type|"no"',
      "warning reentrant|enable_reentrant: true",
      "warning async-compile|enable: true",
      "error compile-needs|enable: true",
      "error cp-ulysses|cp_size: 2",
      "error out-of-range|2",
      "error unknown-value|fsdp1",
      "error exponent-text|1e-5",
      "error unknown-value|cosin",
      "error stream-load|ep_sharded_stream_load: true",
      "error misnamed-key|lora_rank",
      "information missing-key|data",
      "error unknown-key|max_seq_length",
      "error moved-key|lr",
      'error wrong-type|"4"',
      "error stage-async|save_async: true",
      "warning duplicate-key|micro_batch_size",
      "error batch-multiple|6",
    ]);
  });

  it("comes to rest when first fixes are applied in turn", () => {
    let text = trainingFixture("many.bad.yaml");
    for (let round = 0; round < 60; round++) {
      const fix = trainingFindings(text).flatMap((finding) => finding.fixes)[0];
      if (fix === undefined) break;
      text = applyFix(text, fix);
    }
    expect(trainingSummary(text)).toEqual([
      "information missing-key|model",
      "information missing-key|data",
      "error batch-multiple|6",
    ]);
  });

  it("renames the block that shipped configs misspell, and keeps its comments", () => {
    const name = "configs/text/qwen3.yaml";
    const text = trainingFixture(name);
    expect(trainingSummary(text, undefined, name)).toEqual(["warning misnamed-key|offload"]);
    expect(trainingFixed("Rename to offload_config", text, name)).toBe(
      text.replace("    offload:", "    offload_config:"),
    );
  });

  it("says which of two equal keys is lost, and removes that one", () => {
    const text = "model:\n  model_path: a\ndata:\n  train_path: x\ntrain:\n  seed: 1\n  seed: 2\n";
    expect(trainingSummary(text)).toEqual(["warning duplicate-key|seed"]);
    expect(trainingFixed("Remove the entry on line 6, which is lost", text)).toBe(text.replace("  seed: 1\n", ""));
  });

  it("reports tabs, and texts that nest too deep, as one problem", () => {
    const start = "model: {model_path: a}\ndata: {train_path: x}\n";
    expect(trainingSummary(`${start}train:\n\tseed: 1\n`)).toEqual(["error yaml-syntax|\t"]);
    expect(trainingSummary(`${start}train: ${"[".repeat(100_000)}`)).toEqual(["error yaml-syntax|["]);
  });

  it("stays bounded on a file of unknown keys", () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `  zzqx${index}: 1`).join("\n");
    const found = trainingFindings(
      `model: {model_path: a}\ndata: {train_path: x}\ntrain:\n  accelerator: {}\n${lines}\n`,
    );
    expect(found.length).toBe(500);
  });
});

/** mulberry32: a small generator with a fixed seed, so that a failure can be repeated. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const scraps = [
  "{*}",
  "[",
  "]",
  "{",
  "}",
  "*",
  "&a ",
  "*a",
  "<<: *a\n",
  ": ",
  "- ",
  "? ",
  " # x",
  "\n",
  "\r\n",
  "\t",
  '"',
  "'",
  "|\n",
  "!!str ",
  "???",
  "null",
  "\uFEFF",
  "\uD800",
  "---\n",
  "  ",
  ",",
  "# offload-lens: layout=flat\n",
  "accelerator:\n",
  "train:\n  lr: 1e-5\n",
  "model: ",
  "\nmodules: {a: {accelerator: {}}}\n",
  "optimizer: adamw\n",
];

describe("hostile edits", () => {
  it("never make the rules throw, leave the text, or overlap", () => {
    const random = randomSource(20_260_820);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const originals = [...goodFiles, "many.bad.yaml", "configs/text/qwen3.yaml"].map(trainingFixture);
    let recognised = 0;
    for (let round = 0; round < 2_000; round++) {
      let text = pick(originals) ?? "";
      for (let edit = 0; edit <= random() * 6; edit++) {
        const at = Math.floor(random() * text.length);
        const removed = random() < 0.5 ? Math.floor(random() * 12) : 0;
        text = text.slice(0, at) + (pick(scraps) ?? "") + text.slice(at + removed);
      }
      const diagnostics = checkTrainingText("x.yaml", text)?.diagnostics;
      if (diagnostics === undefined) continue;
      recognised++;
      for (const { span, fixes } of diagnostics) {
        const isInside = span.start >= 0 && span.start <= span.end && span.end <= text.length;
        if (!isInside) expect([text, span]).toEqual([]);
        for (const fix of fixes) applyFix(text, fix);
      }
      trainingSettingsIn("x.yaml", text);
    }
    expect(recognised).toBeGreaterThan(1_000);
  }, 120_000);
});
