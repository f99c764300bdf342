import { describe, expect, it } from "vitest";
import { engine, fixed, summary, summaryOf } from "../../checkedText.js";

describe("wrong-type", () => {
  it.each([
    ["enable_async_activation_offload: 'false'", "warning", "'false'", "false"],
    ["enable_async_activation_offload: y", "warning", "y", "true"],
    ["param_offload: None", "warning", "None", "false"],
    ["param_offload: 1", "information", "1", "true"],
    ["param_offload: 0.0", "information", "0.0", "false"],
    ["fsdp_size: '8'", "error", "'8'", "8"],
    ["fsdp_size: 8.0", "warning", "8.0", "8"],
    ["expert_parallel_size: true", "warning", "true", "1"],
    ["activation_offload_host_cache_limit_gb: 4GB", "error", "4GB", "4"],
    ['activation_offload_host_cache_limit_gb: "4.0"', "error", '"4.0"', "4.0"],
    ["attn_implementation: 2", "error", "2", '"2"'],
    ["micro_batch_size_per_gpu: '2'", "information", "'2'", "2"],
  ])("finds %s", (line, severity, place, replacement) => {
    expect(summaryOf("wrong-type", engine(line))).toEqual([`${severity} wrong-type|${place}`]);
    const result = fixed(`Write ${replacement}`, engine(line));
    expect(result).toBe(engine(line.slice(0, -place.length) + replacement));
    expect(summary(result).filter((finding) => finding.includes("wrong-type"))).toEqual([]);
  });

  it.each([
    ["param_offload: [a]", "warning", "[a]"],
    ["fsdp_size: eight", "error", "eight"],
    ["fsdp_size: [8]", "error", "[8]"],
    ["activation_offload_host_cache_limit_gb: yes", "warning", "yes"],
    ["activation_offload_host_cache_limit_gb: null", "error", "null"],
    ["activation_offload_host_cache_limit_gb:", "error", "activation_offload_host_cache_limit_gb"],
    ["attn_implementation: [sdpa]", "error", "[sdpa]"],
    ["router_replay: R3", "error", "R3"],
    ["basic_modules: 3", "error", "3"],
    ["basic_modules: {a: 1}", "warning", "{a: 1}"],
    ["basic_modules: null", "error", "null"],
    ["ckpt_manager: 3", "information", "3"],
    ["enable_async_activation_offload: maybe", "warning", "maybe"],
  ])("finds %s", (line, severity, place) => {
    expect(summary(engine(line))).toContain(`${severity} wrong-type|${place}`);
  });

  it("counts an absent module list only where it is read", () => {
    const absent = "activation_offload_modules:";
    expect(summary(engine("enable_async_activation_offload: true", absent))).toEqual([
      "error wrong-type|activation_offload_modules",
    ]);
    expect(summary(engine("enable_async_activation_offload: false", absent))).toEqual([
      "information wrong-type|activation_offload_modules",
    ]);
  });

  it.each([
    "enable_async_activation_offload: on",
    "param_offload: null",
    "param_offload: ${a.b}",
    "fsdp_size: ???",
    "fsdp_size: 1_6",
    "activation_offload_host_cache_limit_gb: 1e1",
    "load_checkpoint_path: null",
    "basic_modules: []",
    "router_replay: null",
    "router_replay: {mode: R2}",
  ])("is content with %s", (line) => {
    const text = line.includes("cache") ? engine("enable_async_activation_offload: true", line) : engine(line);
    expect(summary(text)).toEqual([]);
  });
});
