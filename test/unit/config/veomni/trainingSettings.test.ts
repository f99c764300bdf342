import { describe, expect, it } from "vitest";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { trainingSettingsIn } from "../ofText.js";
import { type TrainingSource, textOfSource, trainingFixture } from "./checkedTraining.js";

function settingsIn(source: TrainingSource) {
  const [settings, ...others] = trainingSettingsIn("x.yaml", textOfSource(source));
  expect(others).toEqual([]);
  return settings;
}

describe("readTrainingSettings", () => {
  it("reads the model-scoped block", () => {
    const text = trainingFixture("model-scoped.good.yaml");
    const settings = settingsIn(text);
    expect(settings).toMatchObject({
      blockPath: "model.accelerator.offload_config",
      enabled: true,
      patterns: ["model.layers.{*}", "model.embed_tokens"],
      cacheLimitGb: 8,
      gradientCheckpointing: true,
      microBatch: 2,
      modelPath: "Qwen3-8B",
    });
    const cut = (span?: { start: number; end: number }) => text.slice(span?.start, span?.end);
    expect(cut(settings?.blockSpan)).toMatch(/^offload_config:\n\s+enable_async_activation: true/);
    expect(cut(settings?.modulesKeySpan)).toBe("activation_offload_modules");
    expect(cut(settings?.modelPathSpan)).toBe("Qwen3-8B");
    expect(readOffloadSettings("x.yaml", text)).toEqual([settings]);
  });

  it("reads the train-scoped block", () => {
    expect(settingsIn(trainingFixture("train-scoped+async.good.yaml"))).toMatchObject({
      blockPath: "train.accelerator.offload_config",
      enabled: true,
      patterns: ["model.layers.{*}"],
      cacheLimitGb: 0.5,
    });
  });

  it("says what a file without the block says", () => {
    expect(settingsIn(trainingFixture("flat.good.yaml"))).toMatchObject({
      blockPath: "train",
      enabled: undefined,
      patterns: undefined,
      gradientCheckpointing: true,
      microBatch: 1,
    });
    expect(settingsIn({ model: ["accelerator: {}"] })).toMatchObject({ blockPath: "model.accelerator.offload_config" });
  });

  it("does not read a block at the place of another layout", () => {
    const settings = settingsIn({
      model: ["optimizer: {}"],
      train: ["accelerator: {offload_config: {enable_async_activation: true}}"],
    });
    expect(settings).toMatchObject({ blockPath: "model.accelerator.offload_config", enabled: undefined });
  });

  it("prefers the weights to the config, and keeps a text in place of the list", () => {
    expect(settingsIn(trainingFixture("model-scoped+template.good.yaml"))?.modelPath).toBe("/models/Qwen3-8B");
    const onlyConfig = "model: {config_path: c}\ndata: {train_path: x}\ntrain: {accelerator: {}}\n";
    expect(settingsIn(onlyConfig)?.modelPath).toBe("c");
    const lines = ["accelerator: {offload_config: {activation_offload_modules: a.*}}"];
    expect(settingsIn({ model: lines })?.patterns).toBe("a.*");
  });

  it("leaves out what is not usable", () => {
    const settings = settingsIn({
      model: [
        "accelerator: {offload_config: {enable_async_activation: y, activation_offload_host_cache_limit_gb: -1}}",
      ],
      train: ["micro_batch_size: 0"],
    });
    expect(settings).not.toHaveProperty("cacheLimitGb");
    expect(settings).not.toHaveProperty("microBatch");
    expect(settings?.enabled).toBeUndefined();
  });

  it("is empty for other files", () => {
    expect(trainingSettingsIn("x.yaml", "a: 1\n")).toEqual([]);
    expect(trainingSettingsIn("x.yaml", trainingFixture("configs/multimodal/data/mixture.yaml"))).toEqual([]);
  });
});
