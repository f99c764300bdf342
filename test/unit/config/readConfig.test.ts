import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { TextSpan } from "../../../src/core/config/document/diagnostic.js";
import { readOffloadSettings } from "../../../src/core/config/readConfig.js";
import { engine } from "./checkedText.js";

function fixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../fixtures/config/${name}`, import.meta.url)), "utf8");
}

function cut(text: string, span: TextSpan | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

describe("readOffloadSettings", () => {
  it("reads an engine file", () => {
    const text = fixture("engine.good.yaml");
    const [settings, ...others] = readOffloadSettings("engine.yaml", text);
    expect(others).toEqual([]);
    expect(settings).toMatchObject({
      blockPath: "",
      enabled: true,
      patterns: ["model.layers.{*}", "model.embed_tokens"],
      cacheLimitGb: 16,
    });
    expect(settings).not.toHaveProperty("modelPath");
    expect(cut(text, settings?.modulesKeySpan)).toBe("activation_offload_modules");
    expect(cut(text, settings?.modulesValueSpan)).toBe('- model.layers.{*}\n  - "model.embed_tokens"');
  });

  it("reads every block of a composed config, references followed inside the file", () => {
    const text = fixture("composed.good.yaml");
    const all = readOffloadSettings("run.yaml", text);
    expect(
      all.map(({ blockPath, enabled, patterns, cacheLimitGb, microBatch, modelPath }) => [
        blockPath,
        enabled,
        patterns,
        cacheLimitGb,
        microBatch,
        modelPath,
      ]),
    ).toEqual([
      ["actor_rollout_ref.actor.veomni", true, ["model.layers.{*}"], 0.25, 4, "/models/Qwen3-8B"],
      ["actor_rollout_ref.ref.veomni", false, [], 4, undefined, "/models/Qwen3-8B"],
      ["critic.veomni", true, ["model.layers.{*}"], undefined, undefined, "/models/Qwen3-8B-critic"],
    ]);
    expect(all[0]?.gradientCheckpointing).toBe(true);
    expect(cut(text, all[0]?.modelPathSpan)).toBe("${oc.env:MODEL_ROOT,/models}/Qwen3-8B");
    expect(cut(text, all[2]?.blockSpan)?.startsWith("veomni:\n    param_offload: true")).toBe(true);
  });

  it("keeps variables of the environment that are set as they are written", () => {
    const [settings] = readOffloadSettings("run.yaml", fixture("composed.good.yaml"), { MODEL_ROOT: "/mnt" });
    expect(settings?.modelPath).toBe("${oc.env:MODEL_ROOT}/Qwen3-8B");
  });

  it("reads the SFT trainer", () => {
    expect(readOffloadSettings("sft.yaml", fixture("sft.good.yaml"))).toMatchObject([
      {
        blockPath: "engine",
        enabled: true,
        patterns: ["model.layers.*"],
        gradientCheckpointing: true,
        microBatch: 8,
        modelPath: "/models/Qwen3-0.6B",
      },
    ]);
  });

  it("keeps a text in place of the list as a text", () => {
    expect(readOffloadSettings("e.yaml", engine("activation_offload_modules: model.layers.*"))[0]?.patterns).toBe(
      "model.layers.*",
    );
  });

  it.each([
    ["5", true],
    ["null", true],
    ["{model: layers}", true],
    ["[model.layers.*, 5]", true],
    ["[[model.layers.*]]", true],
    ["[]", undefined],
    ["model.layers.*", undefined],
    ["[model.layers.{*}, b]", undefined],
    ["${other.list}", undefined],
    ["[model.layers.*, ???]", undefined],
  ])("tells whether %s holds other things than texts", (value, expected) => {
    const [block] = readOffloadSettings("e.yaml", engine(`activation_offload_modules: ${value}`));
    expect(block?.patternsNotTexts).toBe(expected);
  });

  it("reads what was meant by a list that YAML refuses, and survives breaks elsewhere", () => {
    const broken = engine(
      "activation_offload_modules: [model.layers.{*}, b.*]",
      "enable_async_activation_offload: true",
      'x: "open',
    );
    expect(readOffloadSettings("e.yaml", broken)[0]).toMatchObject({
      enabled: true,
      patterns: ["model.layers.{*}", "b.*"],
    });
  });

  it("leaves out what is not there or not usable", () => {
    const text = engine(
      "enable_async_activation_offload: 'yes'",
      "activation_offload_host_cache_limit_gb: .nan",
      "micro_batch_size_per_gpu: 0",
    );
    const [settings] = readOffloadSettings("e.yaml", text);
    expect(settings).toEqual({
      blockPath: "",
      blockSpan: settings?.blockSpan,
      enabled: undefined,
      patterns: undefined,
      workload: settings?.workload,
    });
  });

  it("reads VeOmni's own training files, and is empty for others", () => {
    expect(readOffloadSettings("x.yaml", fixture("veomni_training.yaml"))).toMatchObject([
      { blockPath: "train.accelerator.offload_config", enabled: true, patterns: ["model.layers.*"] },
    ]);
    expect(readOffloadSettings("x.yaml", "a: 1")).toEqual([]);
  });
});
