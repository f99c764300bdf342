import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("wrong-type", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ train: ['dyn_bsz: "no"'] }, ['warning wrong-type|"no"']],
    [{ train: ["dyn_bsz: y"] }, ["warning wrong-type|y"]],
    [{ train: ["micro_batch_size: 2.5"] }, ["warning wrong-type|2.5"]],
    [{ train: ["seed: [1]"] }, ["error wrong-type|[1]"]],
    [{ train: ["seed:"] }, ["warning wrong-type|seed"]],
    [{ train: ["accelerator: 3"] }, ["error wrong-type|3"]],
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_modules: 3"] }, ["error wrong-type|3"]],
    [
      { model: ["accelerator:", "  offload_config:", "    activation_offload_host_cache_limit_gb: 4GB"] },
      ["error wrong-type|4GB"],
    ],
    [{ train: ["accelerator: {}", "optimizer: adamw"] }, ["error wrong-type|adamw"]],
    [{ data: ["data_type: off"] }, ["warning wrong-type|off"]],
    [{ model: ["lora_config: [a]"] }, ["error wrong-type|[a]"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "wrong-type")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ train: ["dyn_bsz: no", "seed: 1_000", "global_batch_size: null"] }],
    [{ train: ["micro_batch_size: ${MICRO}"] }],
    [{ model: ["lora_config: null"] }],
    [{ model: ["accelerator:", "  offload_config:", "    activation_offload_modules: {*}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "wrong-type")).toEqual([]);
  });
});
