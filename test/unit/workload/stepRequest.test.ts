import { describe, expect, it } from "vitest";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { stepRequest } from "../../../src/core/workload/stepRequest.js";
import { jobIn, jobOf, jobText } from "../config/jobs.js";

const asked = (name: string, device = "sim:H200", given = {}, block?: string) => {
  const request = stepRequest(jobStep(given, { workload: jobIn(name, block) }), device);
  if (!request.ok) throw new Error(request.problem.code);
  return request.value;
};

describe("what the engine is asked for", () => {
  it("is the whole step of verl; two micro-batches stand for all", () => {
    expect(asked("dynamic.yaml")).toEqual({
      members: {
        seqLens: [32_768],
        microBatch: 1,
        packedTokens: 8192,
        worldSize: 16,
        sequenceParallel: 2,
        head: "verl_flash",
        entropy: "eager",
        autocast: true,
        master: "fp32",
        shard: "fsdp2",
        optimizer: "adamw_foreach",
        clip: true,
        reduce: "each",
        accumulation: 2,
      },
      accumulation: 32,
    });
  });

  it("is the chunk of a chunked entropy, and only of that", () => {
    expect(asked("padded.yaml").members).toMatchObject({ entropy: "chunked", entropyChunk: 1024 });
    expect(asked("dynamic.yaml").members.entropyChunk).toBeUndefined();
  });

  it("is VeOmni's trainer", () => {
    expect(asked("training-ulysses.yaml").members).toMatchObject({
      seqLens: [32_768],
      worldSize: 16,
      sequenceParallel: 4,
      head: "chunk_loss",
      autocast: false,
      optimizer: "adamw_fused",
    });
  });

  it("is a pass forward for the reference, without an optimizer", () => {
    const { members } = asked("dynamic.yaml", "sim:H200", {}, "actor_rollout_ref.ref.veomni");
    expect(members).toMatchObject({ pass: "logprob", head: "verl_flash" });
    expect(members).not.toHaveProperty("optimizer");
    expect(members).not.toHaveProperty("accumulation");
  });

  it("is the stack alone, and says why, where a field is not known", () => {
    const critic = asked("dynamic.yaml", "sim:H200", {}, "critic.veomni");
    expect(critic.stackOnly).toContain("critic");
    expect(critic.members).toEqual({ seqLens: [32_768], microBatch: 1, packedTokens: 8192, worldSize: 16 });
    expect(asked("training-flat.yaml").stackOnly).toContain("launcher");
    expect(asked("training-flat.yaml", "sim:H200", { ranks: 8 }).stackOnly).toContain("muon");
    const nothing = stepRequest(jobStep({}, undefined), "sim:H200");
    expect(nothing).toMatchObject({ ok: true, value: { members: { seqLens: [2048], microBatch: 1 } } });
  });

  it("rounds a row up to equal parts of the ranks that share it, as both frameworks pad it", () => {
    const given = { seqLen: 4095, ranks: 16 };
    expect(asked("training-ulysses.yaml", "sim:H200", given).members).toMatchObject({
      seqLens: [4096],
      sequenceParallel: 4,
    });
    expect(asked("training-ulysses.yaml", "cuda", given).members.seqLens).toEqual([1024]);
  });

  it("is the share of one rank on real devices", () => {
    const { members, stackOnly } = asked("dynamic.yaml", "cuda");
    expect(members).toEqual({ seqLens: [16_384], microBatch: 1 });
    expect(stackOnly).toContain("real devices");
  });
});

describe("bad input", () => {
  it("is the file's own problem", () => {
    const broken = jobOf("c.yaml", jobText("static.yaml").replace("n: 8", "n: eight"));
    expect(stepRequest(jobStep({}, { workload: broken }), "sim:H200")).toMatchObject({
      ok: false,
      problem: { code: "WORKLOAD_VALUE_INVALID", cause: expect.any(String), nextStep: expect.any(String) },
    });
  });

  it.each([{ seqLen: 2_000_000 }, { microBatch: 5000 }, { seqLen: 1_000_000, microBatch: 100 }, { ranks: 100_000 }])(
    "is %j, beyond the engine",
    (given) => {
      expect(stepRequest(jobStep(given, undefined), "sim:H200")).toMatchObject({
        ok: false,
        problem: { code: "WORKLOAD_TOO_LARGE", cause: expect.any(String) },
      });
    },
  );

  it("is a number of ranks that Ulysses does not divide", () => {
    const step = jobStep({ ranks: 3 }, { workload: jobIn("dynamic.yaml") });
    expect(stepRequest(step, "sim:H200")).toMatchObject({ ok: false, problem: { code: "WORKLOAD_NOT_DIVISIBLE" } });
  });
});
