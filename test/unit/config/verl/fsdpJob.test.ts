import { expect, it } from "vitest";
import { fsdpJob } from "../../../../src/core/config/verl/fsdpJob.js";
import { figuresOf, jobIn } from "../jobs.js";

it("reads an actor under FSDP2: 8192 × 4 tokens; 32 × 16 / 8 × 20480 / 32768 micro-batches at most", () => {
  expect(figuresOf(jobIn("fsdp2.yaml"))).toEqual({
    tokensPerRow: "1..32768..",
    rows: 1,
    accumulation: "1..40..40",
    ranks: 32,
    sequenceParallel: 4,
    master: "fp32",
    optimizer: "adamw_loop",
    head: "verl_flash",
    entropy: "compiled",
    reduce: "last",
  });
});

it("reads one under FSDP, with a fused optimizer, bf16 parameters and Triton's head", () => {
  expect(figuresOf(jobIn("fsdp2-triton.yaml"))).toEqual({
    tokensPerRow: "1..16384..16384",
    rows: 1,
    accumulation: 4,
    ranks: 8,
    sequenceParallel: 1,
    master: "bf16",
    optimizer: "adamw_fused",
    head: "verl_triton",
    entropy: "none",
    reduce: "last",
  });
  expect(jobIn("fsdp2-triton.yaml").shard).toMatchObject({ from: [{ kind: "assumption" }] });
});

it.each(["", "a: 1", "actor_rollout_ref: [", "actor_rollout_ref:\n  actor:\n    strategy: megatron\n"])(
  "finds none in %j",
  (text) => {
    expect(fsdpJob(text)).toBeUndefined();
  },
);
