import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingFindings, trainingSummary } from "../checkedTraining.js";

describe("unknown-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator:", "  offload_config:", "    enable_async_activaton: true"] },
      ["error unknown-key|enable_async_activaton"],
    ],
    [{ train: ["accelerator: {}", "max_stesp: 3"] }, ["warning unknown-key|max_stesp"]],
    [{ train: ["accelerator: {}", "max_seq_len: 3"] }, ["warning unknown-key|max_seq_len"]],
    [
      { train: ["lr: 1.0e-5", "rmpad: true", "save_stesp: 3"] },
      ["information unknown-key|rmpad", "warning unknown-key|save_stesp"],
    ],
    [{ top: ["extra: 1"] }, ["warning unknown-key|extra"]],
    [{ model: ["accelerator: {}", "modules: {vit: {accelerator: {ulysses: 2}}}"] }, ["warning unknown-key|ulysses"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "unknown-key")).toEqual(expected);
  });

  it("says of when the tables are, and takes no switch away that is near none", () => {
    const [found] = trainingFindings({ model: ["optimizer: {type: adamw, brand_new_switch: 1}"] });
    expect(found?.message).toMatch(/not a key of VeOmni 0\.1\.12 \(2026-09-09\)/);
    expect(found?.fixes).toEqual([]);
    const [near] = trainingFindings({ model: ["optimizer: {type: adamw, weight_deacy: 0.1}"] });
    expect(near?.fixes.map(({ title }) => title)).toContain("Rename to weight_decay");
  });

  it.each<[TrainingSource]>([
    [{ model: ["lora_config: {anything: 1}", "model_config: {x: {y: 1}}"], data: ["mm_configs: {z: 1}"] }],
    [{ model: ["accelerator: {}", "modules: {vit: {free: 1, accelerator: {ulysses_size: 2}}}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "unknown-key")).toEqual([]);
  });
});
