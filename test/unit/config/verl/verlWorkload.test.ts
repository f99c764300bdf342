import { describe, expect, it } from "vitest";
import { figuresOf, jobIn, jobOf, jobText, shown } from "../jobs.js";

const actor = { master: "fp32", optimizer: "adamw_foreach", head: "verl_flash", entropy: "none", reduce: "each" };

describe("the job of a role of verl, worked out by hand", () => {
  it("packs the samples of a micro-batch: 4 times 1024 + 3072 tokens; 128 × 8 / 8 / 4 micro-batches", () => {
    expect(figuresOf(jobIn("static.yaml"))).toEqual({
      ...actor,
      tokensPerRow: "1..16384..16384",
      rows: 1,
      accumulation: 32,
      ranks: 8,
      sequenceParallel: 1,
    });
  });

  it("takes the token budget times Ulysses; a micro-batch may be beyond it: 128 × 8 / 8 × 8192 / 32768 of them at most", () => {
    expect(figuresOf(jobIn("dynamic.yaml"))).toEqual({
      ...actor,
      entropy: "eager",
      tokensPerRow: "1..32768..",
      rows: 1,
      accumulation: "1..32..32",
      ranks: 16,
      sequenceParallel: 2,
    });
  });

  it("runs the reference forward only, by the actor's budget", () => {
    const job = jobIn("dynamic.yaml", "actor_rollout_ref.ref.veomni");
    expect(job.pass).toBe("logprob");
    expect(figuresOf(job)).toMatchObject({ tokensPerRow: "1..32768..", accumulation: 1, entropy: "none" });
  });

  it("gives the critic its own budget, and no head: 128 × 8 / 16 × 8192 / 32768", () => {
    const job = jobIn("dynamic.yaml", "critic.veomni");
    expect(figuresOf(job)).toMatchObject({ tokensPerRow: "1..32768..", accumulation: "1..16..16", head: "?" });
  });

  it("rounds 3 × 2500 up to buckets of 1024; 24 × 2 / 4 / 3 micro-batches", () => {
    expect(figuresOf(jobIn("buckets.yaml"))).toEqual({
      ...actor,
      tokensPerRow: "1024..8192..8192",
      rows: 1,
      accumulation: 4,
      ranks: 4,
      sequenceParallel: 1,
      master: "bf16",
      head: "verl_torch_rows",
      entropy: "checkpointed",
    });
  });

  it("rounds the bucket itself to a multiple of Ulysses", () => {
    const text = jobText("buckets.yaml").replace(
      "mixed_precision: false",
      "ulysses_parallel_size: 4\n      pad_to_length_bucket: 1001",
    );
    // Buckets of 1004: 7500 fills eight.
    expect(shown(jobOf("c.yaml", text).tokensPerRow)).toBe("1004..8032..8032");
  });

  it("keeps padded sequences apart, follows references, and has no fused kernels for them: 16 / 2 / 2", () => {
    expect(figuresOf(jobIn("padded.yaml"))).toEqual({
      ...actor,
      tokensPerRow: 1024,
      rows: 2,
      accumulation: 4,
      ranks: 2,
      sequenceParallel: 1,
      entropy: "chunked",
    });
    expect(shown(jobIn("padded.yaml").entropyChunk)).toBe(1024);
  });

  it("reads a whole call with verl's defaults: 256 / 8 / 2 micro-batches", () => {
    const job = jobIn("whole-call.sh");
    expect(figuresOf(job)).toEqual({
      ...actor,
      tokensPerRow: "1..4096..4096",
      rows: 1,
      accumulation: 16,
      ranks: 8,
      sequenceParallel: 1,
      entropy: "chunked",
    });
    expect(shown(job.entropyChunk)).toBe(512);
    expect(job.ranks).toMatchObject({ from: [{ kind: "default", key: "trainer.nnodes" }, { kind: "default" }] });
  });

  it("reads the SFT trainer; its ranks are the launcher's", () => {
    const text =
      "engine:\n  strategy: veomni\n  enable_async_activation_offload: true\ndata:\n  max_length: 4096\n  train_batch_size: 64\n  max_token_len_per_gpu: 8192\nmodel:\n  path: m\noptim:\n  lr: 1.0e-5\n";
    expect(figuresOf(jobOf("s.yaml", text))).toMatchObject({
      tokensPerRow: "1..8192..",
      ranks: "?",
      accumulation: "?",
    });
    const withRanks = `${text}trainer:\n  nnodes: 1\n  n_gpus_per_node: 4\n`;
    // 64 / 4 samples of 4096 tokens.
    expect(figuresOf(jobOf("s.yaml", withRanks))).toMatchObject({
      ranks: 4,
      accumulation: "1..8..8",
      head: "verl_flash",
    });
  });

  it("says which key and line a figure is from", () => {
    expect(jobIn("dynamic.yaml").tokensPerRow).toMatchObject({
      from: [
        { kind: "key", key: "actor_rollout_ref.actor.ppo_max_token_len_per_gpu", line: 13 },
        { kind: "key", key: "actor_rollout_ref.actor.veomni.ulysses_parallel_size", line: 16 },
      ],
    });
  });

  it("takes no default for a section that another file holds", () => {
    const job = jobOf(
      "a.yaml",
      "actor_rollout_ref:\n  actor:\n    veomni:\n      enable_async_activation_offload: true\n",
    );
    expect(figuresOf(job)).toMatchObject({ tokensPerRow: "?", ranks: "?", accumulation: "?" });
    const composed = jobOf(
      "a.yaml",
      "defaults: [ppo_trainer]\nactor_rollout_ref:\n  actor:\n    use_dynamic_bsz: true\n    veomni:\n      enable_async_activation_offload: true\n",
    );
    expect(figuresOf(composed)).toMatchObject({ tokensPerRow: "1..16384..", ranks: 8 });
  });

  it("is unknown, not wrong, where only the run knows", () => {
    const text = jobText("dynamic.yaml").replace("n_gpus_per_node: 8", `n_gpus_per_node: \${oc.env:GPUS}`);
    const job = jobOf("c.yaml", text);
    expect(job.problems).toEqual([]);
    expect(job.ranks).toEqual({ kind: "unknown", why: "trainer.n_gpus_per_node is known at run time only" });
    expect(shown(job.tokensPerRow)).toBe("1..32768..");
  });

  it("leaves shards over a part of the ranks unknown", () => {
    const text = (size: number) =>
      jobText("static.yaml").replace("veomni:\n      enable", `veomni:\n      fsdp_size: ${size}\n      enable`);
    expect(shown(jobOf("c.yaml", text(4)).shard)).toBe("?");
    expect(shown(jobOf("c.yaml", text(8)).shard)).toBe("fsdp2");
    expect(shown(jobOf("c.yaml", text(-1)).shard)).toBe("fsdp2");
  });
});

describe("bad values", () => {
  const broken = (from: string | RegExp, to: string, name = "static.yaml") =>
    jobOf("c.yaml", jobText(name).replace(from, to));
  const micro = "ppo_micro_batch_size_per_gpu: 4";

  it.each([
    ["ppo_micro_batch_size_per_gpu: 0", "WORKLOAD_VALUE_INVALID"],
    ["ppo_micro_batch_size_per_gpu: -4", "WORKLOAD_VALUE_INVALID"],
    ["ppo_micro_batch_size_per_gpu: four", "WORKLOAD_VALUE_INVALID"],
    ["ppo_micro_batch_size_per_gpu: 1.5", "WORKLOAD_VALUE_INVALID"],
    ["ppo_micro_batch_size_per_gpu: [4]", "WORKLOAD_VALUE_INVALID"],
    ["ppo_micro_batch_size_per_gpu: 99999999999999999999", "WORKLOAD_TOO_LARGE"],
    ["ppo_micro_batch_size_per_gpu: 5000000000000", "WORKLOAD_TOO_LARGE"],
    ["ppo_micro_batch_size_per_gpu: 3", "WORKLOAD_NOT_DIVISIBLE"],
  ])("%s is %s, with cause and next step", (written, code) => {
    const job = broken(micro, written);
    expect(job.problems.map((problem) => problem.code)).toContain(code);
    for (const { cause, nextStep, span } of job.problems) {
      expect(cause).toBeTruthy();
      expect(nextStep).toBeTruthy();
      expect(span.end).toBeGreaterThan(span.start);
    }
  });

  it("names ranks that Ulysses does not divide, and samples that ranks do not", () => {
    const sequence = broken("veomni:\n", "veomni:\n      ulysses_parallel_size: 3\n");
    expect(sequence.problems[0]).toMatchObject({
      code: "WORKLOAD_NOT_DIVISIBLE",
      message: expect.stringContaining("8 ranks"),
    });
    const mini = broken("ppo_mini_batch_size: 128", "ppo_mini_batch_size: 127");
    expect(mini.problems[0]?.message).toBe(
      "127 samples of a GPU in a mini-batch are no multiple of its micro-batch, 4.",
    );
    const samples = broken("  rollout:\n    n: 8", "  rollout:\n    n: 3");
    expect(samples.problems).toEqual([]);
    const both = jobOf("c.yaml", jobText("static.yaml").replace("size: 128", "size: 127").replace("n: 8", "n: 3"));
    expect(both.problems[0]?.message).toContain(
      "381 samples of a mini-batch are no multiple of the data-parallel size, 8",
    );
  });

  it("tells a budget that the longest sequence does not fit", () => {
    const job = broken("16384", "2048", "dynamic.yaml");
    expect(job.problems[0]).toMatchObject({ code: "WORKLOAD_BUDGET_TOO_SMALL" });
    expect(job.problems[0]?.message).toContain("4096");
    expect(job.problems[0]?.message).toContain("8192");
  });

  it("makes no nonsense of missing micro-batches", () => {
    const job = broken(`    ${micro}\n`, "");
    expect(job.tokensPerRow).toMatchObject({ kind: "unknown", why: expect.stringContaining("is not set") });
    expect(shown(job.accumulation)).toBe("?");
  });
});
