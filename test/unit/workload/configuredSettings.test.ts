import { describe, expect, it } from "vitest";
import type { ProfileSettings } from "../../../src/core/profile/profileArguments.js";
import { configuredSettings } from "../../../src/core/workload/configuredSettings.js";
import { jobIn } from "../config/jobs.js";

function configured(name: string, given: ProfileSettings = {}, device = "sim:H200") {
  const outcome = configuredSettings(given, { workload: jobIn(name) }, device);
  if (!outcome.ok) throw new Error(outcome.problem.code);
  return outcome.value;
}

describe("settings of a run", () => {
  it("take the job's step, and say what it rests on", () => {
    const { settings, notes } = configured("dynamic.yaml");
    expect(settings).toMatchObject({ seqLens: [32_768], microBatch: 1, worldSize: 16, head: "verl_flash" });
    expect(notes).toEqual([
      "about 32,768 tokens in one packed row, 16 ranks, 2 of them share a row. Tokens from actor.ppo_max_token_len_per_gpu (line 13) and actor.veomni.ulysses_parallel_size (line 16). Attention within sequences of 8,192 tokens, from data.max_prompt_length (line 3) and data.max_response_length (line 4); with shorter ones the step takes less. Ranks from trainer.nnodes (line 25) and trainer.n_gpus_per_node (line 26).",
      "Whole step: head verl_flash (flash-attn is installed, as verl pins it: assumed), optimizer, 2 of about 32 micro-batches.",
    ]);
  });

  it("lose to what is given, with what that makes senseless", () => {
    const given = configured("dynamic.yaml", {
      seqLens: [4096, 512],
      worldSize: 4,
      sequenceParallel: 4,
      head: "hf_eager",
    });
    expect(given.settings).toMatchObject({ seqLens: [4096, 512], worldSize: 4, sequenceParallel: 4, head: "hf_eager" });
    expect(given.settings.entropy).toBeUndefined();
    expect(given.settings.optimizer).toBe("adamw_foreach");
    expect(configured("dynamic.yaml", { optimizerBytes: 8 }).settings).not.toHaveProperty("head");
    expect(configured("dynamic.yaml", { pass: "logprob" }).settings).not.toHaveProperty("optimizer");
  });

  it("are told as they run, not as the file has them", () => {
    const scope = (name: string, given: ProfileSettings) => configured(name, given).notes[1];
    expect(scope("dynamic.yaml", { optimizerBytes: 8 })).toBe(
      "Stack only: the optimizer's states are counted by their bytes per parameter.",
    );
    expect(scope("dynamic.yaml", { pass: "logprob" })).toMatch(/^Forward only, head verl_flash/);
    expect(scope("dynamic.yaml", { head: "hf_eager", accumulation: 1 })).toBe("Whole step: head hf_eager, optimizer.");
    expect(scope("training-flat.yaml", { head: "chunk_loss" })).toBe("Whole step: head chunk_loss, no optimizer.");
  });

  it("keep the CPU's own tokens", () => {
    const { settings, notes } = configured("dynamic.yaml", {}, "cpu");
    expect(settings).toEqual({});
    expect(notes).toEqual([]);
  });

  it("say what the figures lack", () => {
    expect(configured("fused-trap.yaml").notes[1]).toContain("makes all logits as well");
    expect(configured("training-flat.yaml").notes).toEqual([
      "up to 4,096 tokens × 4 sequences, one GPU. Tokens from data.max_seq_len (line 7). Sequences from train.micro_batch_size (line 12). Ranks not known: the number of ranks is the launcher's (torchrun).",
      "Stack only: the number of ranks is the launcher's (torchrun).",
    ]);
  });
});
