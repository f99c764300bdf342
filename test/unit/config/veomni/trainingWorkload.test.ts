import { describe, expect, it } from "vitest";
import { figuresOf, jobIn, jobOf, jobText, shown } from "../jobs.js";

const trainer = { master: "fp32", optimizer: "adamw_fused", entropy: "none", reduce: "each" };

describe("the job of VeOmni's trainer, worked out by hand", () => {
  it("packs up to 2 × 8192 tokens; 64 / (2 × 8) micro-batches", () => {
    expect(figuresOf(jobIn("training.yaml"))).toEqual({
      ...trainer,
      tokensPerRow: "1..16384..16384",
      rows: 1,
      accumulation: 4,
      ranks: 8,
      sequenceParallel: 1,
      head: "liger",
    });
  });

  it("has constant rows with pad_to_length; 4 × 4 ranks; 32 / 4 micro-batches", () => {
    expect(figuresOf(jobIn("training-ulysses.yaml"))).toEqual({
      ...trainer,
      tokensPerRow: 32_768,
      rows: 1,
      accumulation: 8,
      ranks: 16,
      sequenceParallel: 4,
      head: "chunk_loss",
    });
  });

  it("reads the flat layout: 4 rows of up to 4096 tokens, bf16, an optimizer that is not simulated", () => {
    expect(figuresOf(jobIn("training-flat.yaml"))).toEqual({
      ...trainer,
      tokensPerRow: "1..4096..4096",
      rows: 4,
      accumulation: 1,
      ranks: "?",
      sequenceParallel: 1,
      master: "bf16",
      optimizer: "?",
      head: "veomni_eager",
    });
  });

  it("takes ranks from the launcher of a script, and no default for what a YAML file may set", () => {
    const job = jobIn("training.sh");
    // 2 × 8 ranks, two a row: 32 / (1 × 8); rows of half as much again in effective mode.
    expect(figuresOf(job)).toMatchObject({
      tokensPerRow: "1..4096..6144",
      accumulation: 4,
      ranks: 16,
      sequenceParallel: 2,
      head: "?",
      optimizer: "?",
    });
    expect(job.ranks).toMatchObject({ from: [{ kind: "launcher", what: "torchrun --nproc_per_node=8 --nnodes 2" }] });
  });

  it("has no head for diffusion, LoRA and losses that nobody knows", () => {
    const loss = jobText("training-ulysses.yaml").replace("chunk_loss", "mine");
    expect(shown(jobOf("t.yaml", loss).head)).toBe("?");
    const lora = jobText("training.yaml").replace("  accelerator:", "  lora_config:\n    rank: 8\n  accelerator:");
    expect(shown(jobOf("t.yaml", lora).head)).toBe("?");
    const diffusion = jobText("training.yaml").replace("model:\n", "model:\n  condition_model_path: c\n");
    expect(shown(jobOf("t.yaml", diffusion).head)).toBe("?");
  });
});

describe("bad values", () => {
  it.each([
    ["micro_batch_size: 2", "micro_batch_size: 0", "WORKLOAD_VALUE_INVALID"],
    ["max_seq_len: 8192", "max_seq_len: 8k", "WORKLOAD_VALUE_INVALID"],
    ["max_seq_len: 8192", "max_seq_len: 9007199254740991", "WORKLOAD_TOO_LARGE"],
    ["global_batch_size: 64", "global_batch_size: 60", "WORKLOAD_NOT_DIVISIBLE"],
    ["global_batch_size: 64", "global_batch_size: -1", "WORKLOAD_VALUE_INVALID"],
  ])("%s as %s is %s", (from, to, code) => {
    const { problems } = jobOf("t.yaml", jobText("training.yaml").replace(from, to));
    expect(problems[0]).toMatchObject({ code, cause: expect.any(String), nextStep: expect.any(String) });
  });

  it("leaves a value that the run fills in unknown", () => {
    const { problems, tokensPerRow } = jobOf("t.yaml", jobText("training.yaml").replace("8192", `"\${LENGTH}"`));
    expect(problems).toEqual([]);
    expect(shown(tokensPerRow)).toBe("?");
  });
});
