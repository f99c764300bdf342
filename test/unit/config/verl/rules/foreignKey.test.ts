import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../../checkedText.js";

describe("foreign-key", () => {
  it.each([
    ["enable_async_activation: true", "enable_async_activation_offload"],
    ["enable_activation_offload: true", "enable_async_activation_offload"],
    ["ulysses_sequence_parallel_size: 2", "ulysses_parallel_size"],
    ["ep_size: 4", "expert_parallel_size"],
    ["data_parallel_size: 8", "fsdp_size"],
  ])("finds %s and renames it", (line, replacement) => {
    const key = line.split(":")[0] ?? "";
    expect(summary(engine(line))).toEqual([`error foreign-key|${key}`]);
    const result = fixed(`Rename to ${replacement}`, engine(line));
    expect(result).toBe(engine(line.replace(key, replacement)));
    expect(summary(result)).toEqual([]);
  });

  it("removes what has no counterpart", () => {
    expect(fixed("Remove use_orig_params", engine("use_orig_params: true", "seed: 1"))).toBe(engine("seed: 1"));
  });

  it("does not rename to a key that stands already", () => {
    const text = engine("enable_async_activation: true", "enable_async_activation_offload: true");
    expect(findingsIn(text).flatMap((finding) => finding.fixes.map((fix) => fix.title))).toEqual([
      "Remove enable_async_activation",
    ]);
  });

  it("does not look outside the block", () => {
    expect(
      summary("actor_rollout_ref:\n  model: {enable_activation_offload: false}\n  actor: {veomni: {seed: 1}}\n"),
    ).toEqual([]);
  });
});
