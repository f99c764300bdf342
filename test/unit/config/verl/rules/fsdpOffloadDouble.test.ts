import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("fsdp-offload-double", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_fsdp_offload: true",
        "param_offload: true",
        "optimizer_offload: yes",
        "",
      ].join("\n"),
      ["warning fsdp-offload-double|param_offload: true", "warning fsdp-offload-double|optimizer_offload: yes"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("fsdp-offload-double", text)).toEqual(expected);
  });

  it.each([
    [
      "Set param_offload to false",
      ["_target_: verl.workers.config.VeOmniEngineConfig", "enable_fsdp_offload: true", "param_offload: true", ""].join(
        "\n",
      ),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "enable_fsdp_offload: true",
        "param_offload: false",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("fsdp-offload-double", result)).toEqual([]);
  });

  it.each([
    ["_target_: verl.workers.config.VeOmniEngineConfig", "enable_fsdp_offload: false", "param_offload: true", ""].join(
      "\n",
    ),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "param_offload: true", "optimizer_offload: true", ""].join(
      "\n",
    ),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "enable_fsdp_offload: true", "param_offload: false", ""].join(
      "\n",
    ),
  ])("is content with %j", (text) => {
    expect(summaryOf("fsdp-offload-double", text)).toEqual([]);
  });
});
