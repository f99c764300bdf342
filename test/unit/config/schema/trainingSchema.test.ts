import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { schemaDialects, schemaOf } from "../../../../src/core/config/schema/dialects.js";
import { trainingFields } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import { type LayoutId, layoutIds } from "../../../../src/core/config/veomni/layout.js";
import { plainValue } from "./plainValue.js";

const ajv = new Ajv2020({ allErrors: true, strict: true });
const validators = new Map(layoutIds.map((layout) => [layout, ajv.compile(schemaOf(layout) ?? false)]));

function accepts(layout: LayoutId, text: string): boolean {
  return validators.get(layout)?.(plainValue(text, "pyyaml")) === true;
}

function config(model: string, train: string): string {
  const rest = (text: string) => (text === "" ? "" : `, ${text}`);
  return `model: {model_path: a${rest(model)}}\ndata: {train_path: b}\ntrain: {max_steps: 10${rest(train)}}\n`;
}

const accelerator = (members: string) => `accelerator: {offload_config: {${members}}}`;

describe("the schemas of VeOmni's layouts", () => {
  it("exist for every layout, and for no other name", () => {
    expect(schemaDialects).toEqual(["verl", ...layoutIds]);
    expect(schemaOf("constructor")).toBeUndefined();
  });

  it.each([
    ["train-scoped", config("", accelerator("enable_activation: true, activation_gpu_limit: 2.0"))],
    [
      "train-scoped+async",
      config("", accelerator('enable_async_activation: true, activation_offload_modules: ["model.layers.{*}"]')),
    ],
    ["model-scoped", config(accelerator("enable_async_activation: true"), "")],
    ["model-scoped+template", config("optimizer: {lr: 1.0e-5}", "")],
    ["flat", config("", "lr: 1.0e-5, ulysses_parallel_size: 2")],
    ["flat", config("", "enable_full_shard: true, train_architecture: full")],
    ["model-scoped", config("modules: {vision: {accelerator: {ulysses_size: 2}, mine: 1}, text: {}}", "")],
  ] as const)("%s accepts what is right there", (layout, text) => {
    const pinned = `# offload-lens: layout=${layout}\n${text}`;
    const problems = checkDocument("train.yaml", pinned)?.diagnostics.filter(({ severity }) => severity === "error");
    expect(problems).toEqual([]);
    accepts(layout, text);
    expect(validators.get(layout)?.errors ?? []).toEqual([]);
  });

  it.each([
    ["model-scoped", config("", accelerator("enable_async_activation: true"))],
    ["train-scoped", config(accelerator("enable_activation: true"), "")],
    ["train-scoped", config("", accelerator("enable_async_activation: true"))],
    ["train-scoped+async", config("", "accelerator: {offload: {enable_activation: true}}")],
    ["model-scoped", config(accelerator("enable_async_activation_offload: true"), "")],
    ["model-scoped", config(accelerator("enable_activation: true, enable_async_activation: true"), "")],
    ["model-scoped", config(accelerator("activation_offload_modules: model.layers.*"), "")],
    ["model-scoped", config(accelerator('activation_offload_modules: ["*"]'), "")],
    ["model-scoped", config("optimizer: {lr: 1e-5}", "")],
    ["model-scoped", config("optimizer: {type: adamx}", "")],
    ["flat", config("", "optimizer: {lr: 1.0e-5}")],
    ["train-scoped", config("", "enable_full_shard: true")],
    ["model-scoped", config("modules: {vision: {accelerator: {ulysses_size: two}}}", "")],
    ["model-scoped", config("modules: {vision: {accelerator: {ulysses: 2}}}", "")],
  ] as const)("%s refuses %j", (layout, text) => {
    expect(accepts(layout, text)).toBe(false);
  });

  it.each(layoutIds)("%s accepts the right file of its fixtures", (layout) => {
    const file = new URL(`../../../fixtures/config/veomni/${layout}.good.yaml`, import.meta.url);
    accepts(layout, readFileSync(file, "utf8"));
    expect(validators.get(layout)?.errors ?? []).toEqual([]);
  });

  it.each(layoutIds)("%s holds every key of the layout at its place", (layout) => {
    const text = JSON.stringify(schemaOf(layout));
    for (const field of trainingFields) {
      const name = field.paths[layout]?.split(".").at(-1);
      if (name !== undefined) expect(text).toContain(JSON.stringify(name));
    }
  });
});
