import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sweepWith } from "../../../../src/cli/command/sweep.js";
import { ExitCode } from "../../../../src/cli/io.js";
import type { EnginePort } from "../../../../src/core/profile/childProcess.js";
import type { ProfileRequest } from "../../../../src/core/profile/request.js";
import type { SweepResult } from "../../../../src/core/sweep/runSweep.js";
import { nodeFiles } from "../../../../src/node/nodeFiles.js";
import { jobText } from "../../config/jobs.js";
import { packetOf } from "../../profile/fakeProcess.js";
import { sampleResult, sampleRun } from "../../profile/sampleResult.js";

const config = `actor_rollout_ref:
  actor:
    strategy: veomni
    veomni:
      _target_: verl.workers.config.VeOmniEngineConfig
      enable_async_activation_offload: true
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-sweep-"));
  writeFileSync(join(folder, "config.json"), "{}");
  writeFileSync(join(folder, "veomni.yaml"), config);
  for (const name of ["dynamic.yaml", "training-flat.yaml", "fsdp2.yaml"])
    writeFileSync(join(folder, name), jobText(name));
  asked.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 1024 ** 2;
const asked: ProfileRequest[] = [];

/** A process that answers every request at once: no offload is fastest, checkpointing is smallest. */
function answering(killed: { count: number }): EnginePort {
  return {
    start() {
      let listener: (message: unknown) => void = () => undefined;
      return {
        pid: 1,
        post(message) {
          const { id, body } = message as { readonly id: number; readonly body: { readonly request: ProfileRequest } };
          const { request } = body;
          asked.push(request);
          const runs = (request.strategies ?? []).flatMap((strategy) =>
            [true, false].map((gradientCheckpointing) =>
              sampleRun({
                strategy,
                gradientCheckpointing,
                stepMs: { median: gradientCheckpointing ? 120 : 100, samples: [1] },
                peakBytes: (gradientCheckpointing ? 20 : 60) * MIB,
              }),
            ),
          );
          queueMicrotask(() =>
            listener(packetOf({ kind: "finished", resultJson: JSON.stringify(sampleResult(runs)) }, id)),
          );
        },
        kill() {
          killed.count += 1;
        },
        listen(added) {
          listener = added;
        },
        onExit: () => undefined,
        onError: () => undefined,
      };
    },
    after: () => () => undefined,
  };
}

async function run(line: string) {
  const written = { stdout: "", stderr: "" };
  const killed = { count: 0 };
  const io = {
    stdout: (text: string) => {
      written.stdout += text;
    },
    stderr: (text: string) => {
      written.stderr += text;
    },
    cwd: folder,
    env: {},
  };
  const code = await sweepWith(nodeFiles, answering(killed), line.split(" "), io);
  return { code, killed: killed.count, ...written };
}

test("a table with the choice marked, and two sentences; the process ends", async () => {
  const { code, stdout, killed } = await run("--config-json config.json --memory-gib 0.05");
  expect(code).toBe(ExitCode.fine);
  expect(killed).toBe(1);
  expect(stdout).toContain("budget 51.2 MiB");
  const chosen = stdout.split("\n").filter((line) => /^\*\s+o(n|ff)/.test(line));
  expect(chosen).toHaveLength(1);
  expect(chosen[0]).toMatch(/^\*\s+on\s+none/);
  expect(stdout).toContain("Choose checkpointing on, no offload: 120 ms a step");
  expect(stdout.split("\n").filter((line) => line.startsWith("! "))).toHaveLength(5);
  // Six points of veomni_async that differ in nothing but what was asked for are one row.
  expect(stdout).toMatch(/^! +off +veomni_async +all, second, half +0\.25, 4 /m);
});

test("JSON holds every point and names the choice", async () => {
  const { stdout } = await run("--config-json config.json --json");
  const result = JSON.parse(stdout) as SweepResult;
  expect(result.schema).toBe("offload-sweep/1");
  expect(result.points).toHaveLength(20);
  expect(result.points[result.best ?? -1]).toMatchObject({ strategy: "none", gradientCheckpointing: false });
});

test("an interrupt while a request runs ends the process at once, and is no failure of the simulator", async () => {
  const written = { stdout: "", stderr: "" };
  let interrupt: () => void = () => undefined;
  let kills = 0;
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  // A process that is stopped: it takes requests and never says a word, nor reports its end.
  const silent: EnginePort = {
    start: () => ({
      pid: 1,
      post: asked,
      kill() {
        kills += 1;
      },
      listen: () => undefined,
      onExit: () => undefined,
      onError: () => undefined,
    }),
    after: () => () => undefined,
  };
  const running = sweepWith(nodeFiles, silent, ["--config-json", "config.json"], {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    cwd: folder,
    env: {},
    onInterrupt(listener) {
      interrupt = listener;
      return () => undefined;
    },
  });
  await isAsked;
  interrupt();
  expect(kills).toBe(1);
  expect(await running).toBe(ExitCode.failed);
  expect(written).toEqual({
    stdout: "",
    stderr: "CANCELLED: The sweep was cancelled. Start it again when you want it.\n",
  });
});

test("the choice is written into the config", async () => {
  const { code, stderr } = await run("--config-json config.json --memory-gib 0.05 --write veomni.yaml");
  expect(code).toBe(ExitCode.fine);
  expect(stderr).toContain("Wrote ");
  expect(readFileSync(join(folder, "veomni.yaml"), "utf8")).toBe(
    config.replace("enable_async_activation_offload: true", "enable_async_activation_offload: false"),
  );
});

describe("failures", () => {
  test("wrong usage is 2, a model that is not there and a file without a block are 1", async () => {
    expect(await run("--seq 0 --model m")).toMatchObject({ code: ExitCode.wrongUsage, stdout: "" });
    expect(await run("--config-json absent.json")).toMatchObject({ code: ExitCode.failed, stdout: "" });
    writeFileSync(join(folder, "other.yaml"), "a: 1\n");
    // The simulations took their time: what they came to is printed all the same.
    for (const [target, problem] of [
      ["other.yaml", "SWEEP_NO_BLOCK"],
      ["absent.yaml", "FILE_MISSING"],
    ] as const) {
      const { code, stdout, stderr } = await run(`--config-json config.json --json --write ${target}`);
      expect(code).toBe(ExitCode.failed);
      expect(stderr).toContain(problem);
      expect(JSON.parse(stdout)).toMatchObject({ schema: "offload-sweep/1" });
    }
  });

  test("a budget that nothing fits writes nothing", async () => {
    const { code, stderr, stdout } = await run("--config-json config.json --memory-gib 0.001 --write veomni.yaml");
    expect(code).toBe(ExitCode.failed);
    expect(stdout).toContain("Nothing of this grid fits");
    expect(stderr).toContain("SWEEP_NOTHING_FITS");
    expect(readFileSync(join(folder, "veomni.yaml"), "utf8")).toBe(config);
  });
});

describe("what of a config is asked beside the grid", () => {
  test("with a budget: what of its job fits, as a table and as JSON", async () => {
    const line = "--config-json config.json --config dynamic.yaml --strategy none --memory-gib 0.05";
    const { code, stdout } = await run(line);
    expect(code).toBe(ExitCode.fine);
    expect(stdout).toMatch(/^Fits 51\.2 MiB \(simulated\) +without offload +with veomni_async$/m);
    const { fits } = JSON.parse((await run(`${line} --json`)).stdout) as { fits: { unit: string; answers: unknown[] } };
    expect([fits.unit, fits.answers.length]).toEqual(["tokens", 2]);
    // Every request of it is the job with one size changed.
    expect(asked.filter(({ steps }) => steps === 1).at(-1)).toMatchObject({ head: "verl_flash", sequenceParallel: 2 });
  });

  test("nothing of the kind where the whole step is not known", async () => {
    const { stderr, stdout } = await run("--config-json config.json --config training-flat.yaml --memory-gib 0.05");
    expect(stderr).toContain("What else fits is not said, because only the stack is simulated");
    expect(stdout).not.toContain("Fits ");
  });

  test("levers where they are wanted, as JSON too", async () => {
    const line = "--config-json config.json --config dynamic.yaml --strategy none --levers";
    const { stdout } = await run(line);
    expect(stdout).toContain("Keys, each changed alone and simulated on");
    expect(JSON.parse((await run(`${line} --json`)).stdout)).toHaveProperty("levers");
    expect(await run("--config-json config.json --levers")).toMatchObject({ code: ExitCode.wrongUsage });
  });
});

test("flags of the whole step go into every request", async () => {
  await run("--config-json config.json --strategy none --head hf_eager --optimizer adamw_fused --accumulation 2");
  expect(
    asked.every(
      ({ head, optimizer, accumulation }) => head === "hf_eager" && optimizer === "adamw_fused" && accumulation === 2,
    ),
  ).toBe(true);
});

describe("the job of --config", () => {
  test("is what every point runs, and is said", async () => {
    const { code, stderr } = await run("--config-json config.json --config dynamic.yaml");
    expect(code).toBe(ExitCode.fine);
    expect(stderr).toContain("about 32,768 tokens in one packed row, 16 ranks, 2 of them share a row.");
    expect(stderr).toContain(
      "Whole step: head verl_flash (flash-attn is installed, as verl pins it: assumed), optimizer, 2 of about 32 micro-batches.",
    );
    for (const request of asked) {
      expect(request).toMatchObject({ seqLens: [32_768], worldSize: 16, sequenceParallel: 2, head: "verl_flash" });
    }
    expect(new Set(asked.slice(1).map(({ microBatch }) => microBatch))).toEqual(new Set([1]));
  });

  test("may be of an actor under FSDP2", async () => {
    expect((await run("--config-json config.json --config fsdp2.yaml")).code).toBe(ExitCode.fine);
    expect(asked[0]).toMatchObject({ optimizer: "adamw_loop", reduce: "last", entropy: "compiled", worldSize: 32 });
  });

  test("loses to flags", async () => {
    await run("--config-json config.json --config dynamic.yaml --seq 4096 --micro-batch 1,2 --world-size 8");
    expect(asked[1]).toMatchObject({ seqLens: [4096], worldSize: 8 });
    expect(new Set(asked.slice(1).map(({ microBatch }) => microBatch))).toEqual(new Set([1, 2]));
  });

  test("is not written over where the step rests on an unknown", async () => {
    const line = "--config-json config.json --config training-flat.yaml --write training-flat.yaml";
    const { code, stderr } = await run(line);
    expect(code).toBe(ExitCode.failed);
    expect(stderr).toContain("WORKLOAD_UNKNOWN");
    expect(stderr).toContain("the number of ranks is the launcher's (torchrun)".slice(4));
    expect(asked).toEqual([]);
    expect(readFileSync(join(folder, "training-flat.yaml"), "utf8")).toBe(jobText("training-flat.yaml"));
  });

  test("has to be right", async () => {
    writeFileSync(join(folder, "bad.yaml"), jobText("dynamic.yaml").replace("16384", "0"));
    const { code, stderr } = await run("--config-json config.json --config bad.yaml");
    expect(code).toBe(ExitCode.failed);
    expect(stderr).toContain("WORKLOAD_VALUE_INVALID");
    expect(stderr).toContain("ppo_max_token_len_per_gpu is 0");
    expect(asked).toEqual([]);
  });
});
