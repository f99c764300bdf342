import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("parallel-sizes", () => {
  it.each([
    [
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      ulysses_parallel_size: 3",
        "",
      ].join("\n"),
      ["error parallel-sizes|3"],
    ],
    [
      [
        "trainer: {nnodes: 2, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      ulysses_parallel_size: 2",
        "      fsdp_size: 3",
        "",
      ].join("\n"),
      ["error parallel-sizes|3"],
    ],
    [
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      expert_parallel_size: 5",
        "",
      ].join("\n"),
      ["error parallel-sizes|5"],
    ],
    [
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      fsdp_size: 2",
        "      expert_parallel_size: 4",
        "",
      ].join("\n"),
      ["error parallel-sizes|4"],
    ],
    [
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "critic:",
        "  use_dynamic_bsz: false",
        "  ppo_micro_batch_size: 2",
        "  veomni:",
        "    ulysses_parallel_size: 2",
        "",
      ].join("\n"),
      ["error parallel-sizes|ppo_micro_batch_size: 2"],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("parallel-sizes", text)).toEqual(expected);
  });

  it.each([
    [
      "Set ulysses_parallel_size to 2",
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      ulysses_parallel_size: 6",
        "",
      ].join("\n"),
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      ulysses_parallel_size: 2",
        "",
      ].join("\n"),
    ],
    [
      "Set fsdp_size to -1",
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      fsdp_size: 3",
        "",
      ].join("\n"),
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "actor_rollout_ref:",
        "  actor:",
        "    veomni:",
        "      fsdp_size: -1",
        "",
      ].join("\n"),
    ],
    [
      "Set ppo_micro_batch_size to 8",
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "critic:",
        "  use_dynamic_bsz: false",
        "  ppo_micro_batch_size: 2",
        "  veomni:",
        "    seed: 1",
        "",
      ].join("\n"),
      [
        "trainer: {nnodes: 1, n_gpus_per_node: 8}",
        "critic:",
        "  use_dynamic_bsz: false",
        "  ppo_micro_batch_size: 8",
        "  veomni:",
        "    seed: 1",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("parallel-sizes", result)).toEqual([]);
  });

  it.each([
    [
      "trainer: {nnodes: 1, n_gpus_per_node: 8}",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      ulysses_parallel_size: 2",
      "      fsdp_size: 2",
      "      expert_parallel_size: 4",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      ulysses_parallel_size: 3", ""].join("\n"),
    [
      "trainer: {nnodes: 1, n_gpus_per_node: 8}",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      fsdp_size: 16",
      "",
    ].join("\n"),
    [
      "trainer: {nnodes: 1, n_gpus_per_node: 8}",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      fsdp_size: -1",
      "      expert_parallel_size: 8",
      "",
    ].join("\n"),
    [
      "trainer: {nnodes: '${a.b}', n_gpus_per_node: 8}",
      "actor_rollout_ref:",
      "  actor:",
      "    veomni:",
      "      ulysses_parallel_size: 3",
      "",
    ].join("\n"),
    [
      "trainer: {nnodes: 1, n_gpus_per_node: 8}",
      "critic:",
      "  use_dynamic_bsz: true",
      "  ppo_micro_batch_size: 2",
      "  veomni:",
      "    seed: 1",
      "",
    ].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("parallel-sizes", text)).toEqual([]);
  });
});
