import { describe, expect, it } from "vitest";
import { jobStep, originsText, ranksText, stepSources, stepText } from "../../../src/core/workload/jobStep.js";
import { jobIn, jobOf, jobText } from "../config/jobs.js";

const step = (name: string, given = {}) => jobStep(given, { workload: jobIn(name) });

describe("a step in words", () => {
  it.each([
    ["static.yaml", "up to 16,384 tokens in one packed row", "8 ranks"],
    ["dynamic.yaml", "about 32,768 tokens in one packed row", "16 ranks, 2 of them share a row"],
    ["padded.yaml", "1,024 tokens × 2 sequences", "2 ranks"],
    ["training-ulysses.yaml", "32,768 tokens in one packed row", "16 ranks, 4 of them share a row"],
    ["training-flat.yaml", "up to 4,096 tokens × 4 sequences", "one GPU"],
  ])("of %s is %s on %s", (name, text, ranks) => {
    expect(stepText(step(name))).toBe(text);
    expect(ranksText(step(name))).toBe(ranks);
  });

  it("says where it comes from, with the line", () => {
    expect(stepSources(step("fused-trap.yaml"))).toEqual([
      "Tokens from verl's default of actor.ppo_max_token_len_per_gpu and verl's default of actor.veomni.ulysses_parallel_size.",
      "Attention within sequences of 8,192 tokens, from data.max_prompt_length (line 3) and data.max_response_length (line 4); with shorter ones the step takes less.",
      "Ranks from verl's default of trainer.nnodes and trainer.n_gpus_per_node (line 18).",
    ]);
    expect(stepSources(step("padded.yaml"))[1]).toBe("Sequences from actor.ppo_micro_batch_size_per_gpu (line 12).");
    expect(originsText([])).toBe("from the config");
  });

  it("keeps the part of the layers", () => {
    expect(stepText(step("static.yaml", { layers: 4 }))).toBe("up to 16,384 tokens in one packed row, first 4 layers");
  });
});

describe("settings", () => {
  it("override the configuration and fill its gaps", () => {
    const given = step("static.yaml", { seqLen: 512, microBatch: 3, ranks: 2 });
    expect([given.seqLen.value, given.microBatch.value, given.isPacked]).toEqual([512, 3, false]);
    expect(stepText(given)).toBe("512 tokens × 3 sequences");
    expect(stepSources(given)).toEqual([
      "Tokens from the settings.",
      "Sequences from the settings.",
      "Ranks from the settings.",
    ]);
    expect(step("training-flat.yaml", { ranks: 8 }).unsure).toBeUndefined();
  });

  it.each([0, -1, 1.5, "8", null, 2 ** 53])("take ranks of %j for absent", (ranks) => {
    expect(step("static.yaml", { ranks }).ranks).toMatchObject({ value: 8 });
  });
});

describe("what a choice may rest on", () => {
  it("is sure where tokens and ranks are known", () => {
    expect(step("static.yaml").unsure).toBeUndefined();
  });

  it("is not where nobody says the ranks, or the tokens", () => {
    expect(step("training-flat.yaml").unsure).toBe("the number of ranks is the launcher's (torchrun)");
    const fragment = jobOf(
      "a.yaml",
      "actor_rollout_ref:\n  actor:\n    veomni:\n      enable_async_activation_offload: true\n",
    );
    expect(jobStep({}, { workload: fragment }).unsure).toContain("is not set");
    expect(jobStep({}, undefined).unsure).toBe("no configuration says the tokens of a step");
    expect(jobStep({ seqLen: 512, ranks: 1 }, undefined).unsure).toBeUndefined();
  });

  it("has the file's first problem", () => {
    const broken = jobOf("c.yaml", jobText("static.yaml").replace("n: 8", "n: 0"));
    expect(jobStep({}, { workload: broken }).problem).toMatchObject({ code: "WORKLOAD_VALUE_INVALID" });
  });
});
