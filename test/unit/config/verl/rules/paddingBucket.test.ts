import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("padding-bucket", () => {
  it.each([
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "pad_to_length: true",
        "pad_to_length_bucket: 100",
        "ulysses_parallel_size: 8",
        "",
      ].join("\n"),
      ["hint padding-bucket|pad_to_length_bucket: 100"],
    ],
    [
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "pad_to_length: false",
        "pad_to_length_bucket: 512",
        "",
      ].join("\n"),
      ["hint padding-bucket|pad_to_length_bucket"],
    ],
    [
      [
        "actor_rollout_ref:",
        "  actor:",
        "    pad_to_length: false",
        "    veomni:",
        "      pad_to_length_bucket: 512",
        "",
      ].join("\n"),
      ["hint padding-bucket|pad_to_length_bucket"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("padding-bucket", text)).toEqual(expected);
  });

  it.each([
    [
      "Set pad_to_length_bucket to 104",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "pad_to_length: true",
        "pad_to_length_bucket: 100",
        "ulysses_parallel_size: 8",
        "",
      ].join("\n"),
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "pad_to_length: true",
        "pad_to_length_bucket: 104",
        "ulysses_parallel_size: 8",
        "",
      ].join("\n"),
    ],
    [
      "Remove pad_to_length_bucket",
      [
        "_target_: verl.workers.config.VeOmniEngineConfig",
        "pad_to_length: false",
        "pad_to_length_bucket: 512",
        "",
      ].join("\n"),
      ["_target_: verl.workers.config.VeOmniEngineConfig", "pad_to_length: false", ""].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("padding-bucket", result)).toEqual([]);
  });

  it.each([
    [
      "_target_: verl.workers.config.VeOmniEngineConfig",
      "pad_to_length: true",
      "pad_to_length_bucket: 512",
      "ulysses_parallel_size: 8",
      "",
    ].join("\n"),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "pad_to_length: false", "pad_to_length_bucket: 1024", ""].join(
      "\n",
    ),
    ["_target_: verl.workers.config.VeOmniEngineConfig", "pad_to_length_bucket: 512", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("padding-bucket", text)).toEqual([]);
  });
});
