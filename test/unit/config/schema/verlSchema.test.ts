import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { applyEdits, findingOf } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import { verlSchema } from "../../../../src/core/config/schema/verlSchema.js";
import { verlEngineTable } from "../../../../src/core/config/verl/fields/verlEngine.js";
import { ruleFacts } from "../../../../src/core/config/verl/rules/registry.js";
import { engine } from "../checkedText.js";
import { plainValue } from "./plainValue.js";

const schema = verlSchema();
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);

function accepts(text: string): boolean {
  return validate(plainValue(text));
}

const goodFiles = [
  "engine.good.yaml",
  "composed.good.yaml",
  "sft.good.yaml",
  "actor/veomni_actor.yaml",
  "ref/veomni_ref.yaml",
];

/** Errors that a schema cannot see: two equal keys, broken YAML, and sizes that do not divide. */
const inexpressible = new Set(["duplicate-key", "yaml-syntax", "unquoted-pattern", "parallel-sizes", "batch-multiple"]);
const errors = ruleFacts.filter((rule) => findingOf(rule)?.severity === "error" && !inexpressible.has(rule.code));

describe("the schema of verl", () => {
  it.each(goodFiles)("accepts %s", (name) => {
    const text = readFileSync(new URL(`../../../fixtures/config/${name}`, import.meta.url), "utf8");
    validate(plainValue(text));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(errors.map((rule) => [rule.code, rule.example.text] as const))("refuses the example of %s", (_code, text) => {
    expect(accepts(text)).toBe(false);
  });

  it.each(ruleFacts.map((rule) => [rule.code, rule] as const))(
    "accepts the example of %s once it is right",
    (_code, rule) => {
      let text = rule.example.text;
      for (let round = 0; round < 8; round++) {
        const fix = checkDocument("experiment.yaml", text, rule.example.options)?.diagnostics.flatMap(
          ({ fixes }) => fixes,
        )[0];
        if (fix === undefined) break;
        text = applyEdits(text, fix);
      }
      if (checkDocument("experiment.yaml", text)?.diagnostics.some(({ severity }) => severity === "error")) return;
      expect([text, accepts(text)]).toEqual([text, true]);
    },
  );

  it.each([
    "many: 1",
    "enable_async_activation_offload: 'yes'",
    "activation_offload_modules: model.layers.*",
    'activation_offload_modules: ["*"]',
    'activation_offload_modules: ["model.layers.{*}.mlp"]',
    'activation_offload_modules: ["model.layers.{0,1}"]',
    'activation_offload_modules: ["a b"]',
    "activation_offload_modules: null",
    "activation_offload_host_cache_limit_gb: -1",
    "activation_offload_host_cache_limit_gb: 9000000000",
    "activation_offload_host_cache_limit_gb: 4GB",
    "fsdp_size: 0",
    "router_replay: {mode: r3}",
    "router_replay: {mod: R3}",
    "strategy: fsdp",
  ])("refuses an engine with %s", (line) => {
    expect(accepts(engine(line))).toBe(false);
    expect(accepts(`actor_rollout_ref: {actor: {veomni: {${line}}}}\n`)).toBe(false);
  });

  it.each([
    "fsdp_size: ${a.b}",
    "seed: ???",
    "attn_implementation: triton-invariant",
    "load_checkpoint_path: null",
    "_convert_: all",
  ])("accepts an engine with %s", (line) => {
    expect(accepts(engine(line))).toBe(true);
  });

  it("knows the optimizer beside the engine, and leaves others alone", () => {
    const actor = (optim: string) => `actor_rollout_ref: {actor: {veomni: {seed: 1}, optim: {${optim}}}}\n`;
    expect(accepts(actor("lr: 1.0e-6"))).toBe(true);
    expect(accepts(actor("lrr: 1.0e-6"))).toBe(false);
    expect(accepts(actor("_target_: verl.workers.config.FSDPOptimizerConfig, lrr: 1"))).toBe(true);
    expect(accepts("actor_rollout_ref: {actor: {optim: {lrr: 1}}}\n")).toBe(true);
  });

  it("leaves the synchronous switch to other engines", () => {
    const text = (name: string) =>
      `model_engine: ${name}\nactor_rollout_ref: {model: {enable_activation_offload: true}, actor: {veomni: {seed: 1}}}\n`;
    expect(accepts(text("dp"))).toBe(true);
    expect(accepts(text("veomni"))).toBe(false);
  });

  it("describes every field, with its default", () => {
    const { $defs } = schema as {
      $defs: { engineBlock: { properties: Record<string, { description?: string; default?: unknown }> } };
    };
    const { properties } = $defs.engineBlock;
    for (const name of verlEngineTable.keysUnder("")) {
      if (name === "_target_") continue;
      expect([name, (properties[name]?.description ?? "").length > 5]).toEqual([name, true]);
    }
    expect(properties.activation_offload_host_cache_limit_gb?.default).toBe(4);
    expect(properties.mixed_precision?.default).toBe(true);
  });
});
