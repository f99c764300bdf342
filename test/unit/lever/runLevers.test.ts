import { describe, expect, it } from "vitest";
import { succeed } from "../../../src/core/base/outcome.js";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { blockRequest } from "../../../src/core/lever/leverRequest.js";
import { type LeverSubject, runLevers } from "../../../src/core/lever/runLevers.js";
import type { ProfileRequest } from "../../../src/core/profile/request.js";
import type { ProfileResult } from "../../../src/core/profile/result.js";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { jobText } from "../config/jobs.js";
import { sampleResult, sampleRun } from "../profile/sampleResult.js";

/** Answers by the request: `peak` gives bytes, every step takes 100 ms for two micro-batches. */
function simulated(peak: (request: ProfileRequest) => number) {
  const requests: ProfileRequest[] = [];
  const simulate = async (request: ProfileRequest) => {
    requests.push(request);
    const strategy = request.strategies?.at(-1) ?? "none";
    const run = {
      ...sampleRun(),
      strategy,
      patterns: strategy === "none" ? null : ["model.layers.{*}"],
      peakBytes: peak(request),
      stepMs: { median: 100, samples: [100], range: [90, 110] as const },
    };
    return succeed<ProfileResult>(sampleResult([run]));
  };
  return { simulate, requests };
}

function subject(path: string, text: string, place = 0): LeverSubject {
  const read = readConfig(path, text);
  const block = read && settingsOf(read)[place];
  if (read === undefined || block === undefined) throw new Error("no block");
  const requestOf = (changed: typeof block) => blockRequest("{}", changed, jobStep({}, changed), "sim:H200");
  return { read, block, environment: {}, options: {}, requestOf };
}

const dynamic = () => subject("dynamic.yaml", jobText("dynamic.yaml"));

describe("runLevers", () => {
  it("asks for one step with one key changed, and for the same step never twice", async () => {
    const { simulate, requests } = simulated(({ entropy }) => (entropy === "chunked" ? 500 : 1000));
    const table = await runLevers(simulate, dynamic());
    const [first, ...others] = requests;
    const differences = others.map((request) => {
      const names = new Set([...Object.keys(request), ...Object.keys(first ?? {})] as (keyof ProfileRequest)[]);
      return [...names].filter((name) => JSON.stringify(request[name]) !== JSON.stringify(first?.[name])).join("+");
    });
    expect(differences).not.toContain("");
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(requests.length);
    expect(differences).toContain("gradientCheckpointing");
    expect(table.ok && table.value.levers.map(({ key, value }) => [key, value])).toEqual([
      ["actor_rollout_ref.actor.veomni.entropy_from_logits_with_chunking", true],
    ]);
  });

  it("names keys that change nothing of the step, where people expect it", async () => {
    const table = await runLevers(simulated(() => 1000).simulate, dynamic());
    expect(table.ok && table.value.withoutEffect).toEqual([
      { key: "actor_rollout_ref.actor.veomni.param_offload", value: true },
      { key: "actor_rollout_ref.actor.veomni.optimizer_offload", value: true },
    ]);
  });

  it("leaves out ways in which the hooks would see nothing", async () => {
    const offers = async (reentrant: boolean) => {
      const written = `async_activation: false\n    gradient_checkpointing: {enable: true, enable_reentrant: ${reentrant}}`;
      const text = jobText("training.yaml").replace("async_activation: true", written);
      const { simulate } = simulated(({ strategies }) => (strategies?.includes("veomni_async") ? 500 : 1000));
      const table = await runLevers(simulate, subject("training.yaml", text));
      return table.ok ? table.value.levers.map(({ key }) => key) : table.problem;
    };
    expect(await offers(true)).toEqual([]);
    expect(await offers(false)).toEqual(["model.accelerator.offload_config.enable_async_activation"]);
  });

  it("leaves out what the rules find an error in", async () => {
    // Six sequences a micro-batch of four ranks, or three of eight, do not divide a batch of 12 as VeOmni wants it.
    const text = jobText("training.yaml")
      .replace("dp_shard_size: 8", "dp_shard_size: 4")
      .replace("micro_batch_size: 2", "micro_batch_size: 3")
      .replace("global_batch_size: 64", "global_batch_size: 12");
    const { simulate, requests } = simulated(({ seqLens = [] }) => seqLens[0] ?? 0);
    const table = await runLevers(simulate, subject("training.yaml", text));
    expect(table.ok && table.value.levers.map(({ key, value }) => [key, value])).toEqual([
      ["train.micro_batch_size", 1],
    ]);
    expect(requests.map(({ worldSize }) => worldSize)).not.toContain(8);
  });

  it("says nothing beside a synchronous offload, which is not simulated", async () => {
    const text = jobText("training.yaml").replace("enable_async_activation: true", "enable_activation: true");
    const { simulate, requests } = simulated(() => 1000);
    const table = await runLevers(simulate, subject("training.yaml", text));
    expect([table.ok ? "" : table.problem.code, requests]).toEqual(["LEVERS_SYNCHRONOUS", []]);
  });

  it("leaves out ranks that would be more than a number that nobody knows", async () => {
    const sft = `defaults: [{engine: veomni}, _self_]
data: {max_length: 4096}
engine: {_target_: verl.workers.config.VeOmniEngineConfig, enable_async_activation_offload: true}
model: {path: m}
`;
    const { simulate, requests } = simulated(() => 1000);
    expect((await runLevers(simulate, subject("sft.yaml", sft))).ok).toBe(true);
    expect(requests.map(({ worldSize }) => worldSize)).not.toContain(2);
  });

  it("puts all layers in the place of a list of some", async () => {
    const some = jobText("dynamic.yaml").replace(
      "      enable_async_activation_offload: true",
      "      enable_async_activation_offload: true\n      activation_offload_modules: [model.layers.0]",
    );
    const { simulate } = simulated(({ patterns = [] }) => (patterns.includes("model.layers.0") ? 1000 : 900));
    const table = await runLevers(simulate, subject("dynamic.yaml", some));
    const lever = table.ok ? table.value.levers.find(({ value }) => Array.isArray(value)) : undefined;
    expect(lever).toMatchObject({
      key: "actor_rollout_ref.actor.veomni.activation_offload_modules",
      value: ["model.layers.{*}"],
    });
  });

  it("compares times of the same work: half the budget takes twice the micro-batches", async () => {
    const { simulate } = simulated(({ seqLens = [] }) => seqLens[0] ?? 0);
    const table = await runLevers(simulate, dynamic());
    const half = table.ok ? table.value.levers.find(({ value }) => value === 8192) : undefined;
    expect(half).toMatchObject({ stepMsAfter: 200, peakBytesAfter: 16_384 });
    const doubled = table.ok ? table.value.others.find(({ value }) => value === 32_768) : undefined;
    expect(doubled).toMatchObject({ stepMsAfter: 50, stepTrend: "better" });
  });

  it("ends between two simulations once it is cancelled", async () => {
    const { simulate, requests } = simulated(() => 1000);
    const table = await runLevers(simulate, dynamic(), () => requests.length >= 3);
    expect([table.ok ? "" : table.problem.code, requests.length]).toEqual(["CANCELLED", 3]);
  });

  it("lets other work through before each key, and asks then whether to go on", async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const { simulate, requests } = simulated(() => 1000);
    const table = await runLevers(simulate, { ...dynamic(), pause }, () => pauses >= 3);
    expect(table).toMatchObject({ ok: false, problem: { code: "CANCELLED" } });
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it("tells what is wrong in the block's own job, and in the engine", async () => {
    const broken = subject("dynamic.yaml", jobText("dynamic.yaml").replace("n: 8\n", "n: -8\n"));
    expect(await runLevers(simulated(() => 1).simulate, broken)).toMatchObject({
      ok: false,
      problem: { code: "WORKLOAD_VALUE_INVALID" },
    });
    const problem = { code: "MODEL_DIMENSIONS", message: "m", nextStep: "n" };
    expect(await runLevers(async () => ({ ok: false, problem }), dynamic())).toEqual({ ok: false, problem });
  });
});
