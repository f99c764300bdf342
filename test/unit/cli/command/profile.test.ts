import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { profileWith } from "../../../../src/cli/command/profile.js";
import type { CliIo } from "../../../../src/cli/io.js";
import { nodeFiles } from "../../../../src/node/nodeFiles.js";
import { jobText } from "../../config/jobs.js";
import { FakeProcess } from "../../profile/fakeProcess.js";
import { sampleOffloadRun, sampleResult, sampleRun } from "../../profile/sampleResult.js";

const configJson = '{"hidden_size": 64}';
const resultJson = JSON.stringify(sampleResult([sampleRun(), sampleOffloadRun]));
const verlConfig = `actor_rollout_ref:
  model:
    enable_gradient_checkpointing: false
  actor:
    strategy: veomni
    veomni:
      _target_: verl.workers.config.VeOmniEngineConfig
      enable_async_activation_offload: true
      activation_offload_modules:
        - model.layers.*
      activation_offload_host_cache_limit_gb: 0.5
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-profile-"));
  writeFileSync(join(folder, "config.json"), configJson);
  writeFileSync(join(folder, "veomni.yaml"), verlConfig);
  writeFileSync(join(folder, "dynamic.yaml"), jobText("dynamic.yaml"));
  writeFileSync(join(folder, "other.yaml"), "a: 1\n");
  writeFileSync(join(folder, "latin.yaml"), new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0x0a]));
  writeFileSync(join(folder, "long.yaml"), `${verlConfig}# ${"x".repeat(4 * 1024 * 1024)}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function session(args: string[], isTty = false) {
  const written = { stdout: "", stderr: "" };
  let interrupt: () => void = () => undefined;
  const io: CliIo = {
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    cwd: folder,
    env: {},
    isTty: { stdout: isTty, stderr: isTty },
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
  };
  const process = new FakeProcess();
  const simulator = new FakeProcess();
  const code = profileWith(nodeFiles, process, args, io, simulator);
  return { process, simulator, written, code, interrupt: () => interrupt() };
}

/** The request once the process has been started. */
async function requestOf({ process }: ReturnType<typeof session>) {
  await expect.poll(() => process.sent.length).toBe(1);
  const [message] = process.sent;
  return message?.kind === "run" ? message.request : undefined;
}

describe("profile", () => {
  it("sends the text of config.json with the flags and prints the engine's JSON unchanged", async () => {
    const run = session(["--model", ".", "--seq", "256", "--json"]);
    expect(await requestOf(run)).toEqual({
      configJson,
      seqLens: [256],
      strategies: ["none", "veomni_async"],
      gradientCheckpointing: "on",
    });
    run.process.says({ kind: "progress", progress: { phase: "run", fraction: 0.5, message: "half" } });
    run.process.says({ kind: "finished", resultJson });
    expect(await run.code).toBe(0);
    expect(run.written).toEqual({ stdout: `${resultJson}\n`, stderr: "" });
  });

  it("fills in what the config says", async () => {
    const run = session(["--config-json", "config.json", "--config", "veomni.yaml"]);
    expect(await requestOf(run)).toEqual({
      configJson,
      strategies: ["none", "veomni_async"],
      gradientCheckpointing: "off",
      patterns: ["model.layers.*"],
      cacheLimitGb: 0.5,
    });
    run.process.exits(null, "SIGKILL");
    expect(await run.code).toBe(1);
  });

  it("takes the step of the job, whole on a simulated device and one rank's stack on a real one", async () => {
    const line = ["--config-json", "config.json", "--config", "dynamic.yaml", "--device"];
    const simulated = session([...line, "sim:H200"]);
    expect(await requestOf(simulated)).toMatchObject({ seqLens: [32_768], worldSize: 16, head: "verl_flash" });
    expect(simulated.written.stderr).toContain("about 32,768 tokens in one packed row");
    const real = session([...line, "cuda"]);
    expect(await requestOf(real)).toMatchObject({ seqLens: [16_384], microBatch: 1 });
    const small = session([...line, "cpu"]);
    expect(await requestOf(small)).not.toHaveProperty("seqLens");
    for (const { process, code } of [simulated, real, small]) {
      process.exits(null, "SIGKILL");
      expect(await code).toBe(1);
    }
  });

  it("prints a report and where the profile was saved, as an absolute path", async () => {
    const run = session(["--model", ".", "--out", "run.offload"]);
    expect((await requestOf(run))?.outPath).toBe(join(folder, "run.offload"));
    run.process.says({ kind: "finished", resultJson });
    expect(await run.code).toBe(0);
    expect(run.written.stdout).toMatch(/step, median +20\.0 ms +22\.0 ms/);
    expect(run.written.stdout).toContain(`Saved ${join(folder, "run.offload")}`);
  });

  it.each([
    [["--json"], `${resultJson}\n`],
    [[], expect.stringMatching(/step, median +20\.0 ms +22\.0 ms/)],
  ])("prints a finished result that could not be saved, with %j", async (flags, stdout) => {
    const run = session(["--model", ".", "--out", "run.offload", ...flags]);
    await requestOf(run);
    const saveProblem = { code: "SAVE_FAILED", message: "It could not be saved.", nextStep: "Free space." };
    run.process.says({ kind: "finished", resultJson, saveProblem });
    expect(await run.code).toBe(1);
    expect(run.written).toEqual({ stdout, stderr: "SAVE_FAILED: It could not be saved. Free space.\n" });
    expect(run.written.stdout).not.toContain("Saved");
  });

  it("shows progress on a terminal only, and wipes it", async () => {
    const run = session(["--model", "."], true);
    await requestOf(run);
    run.process.says({ kind: "progress", progress: { phase: "run", fraction: 0.421, message: "step 2 of 5" } });
    run.process.says({ kind: "finished", resultJson });
    await run.code;
    expect(run.written.stderr).toContain(" 42 %  step 2 of 5");
    expect(run.written.stderr.endsWith("\r\u001b[K")).toBe(true);
  });

  it("simulates single keys of the config first, in a process of its own, and prints them behind the result", async () => {
    const line = ["--config-json", "config.json", "--config", "dynamic.yaml", "--device", "sim:H200", "--levers"];
    const run = session(line);
    let answered = 0;
    /** Answers what was asked since; how often the profiler itself was. */
    const answer = () => {
      for (; answered < run.simulator.sent.length; answered += 1) {
        const message = run.simulator.sent[answered];
        const request = message?.kind === "run" ? message.request : undefined;
        const isChunked = request?.entropy === "chunked";
        const simulated = { ...sampleOffloadRun, strategy: request?.strategies?.at(-1) ?? ("none" as const) };
        const result = sampleResult([{ ...simulated, peakBytes: simulated.peakBytes / (isChunked ? 2 : 1) }]);
        run.simulator.says({ kind: "finished", resultJson: JSON.stringify(result) }, answered + 1);
      }
      return run.process.sent.length;
    };
    await expect.poll(answer, { interval: 1, timeout: 5000 }).toBe(1);
    run.process.says({ kind: "finished", resultJson });
    expect(await run.code).toBe(0);
    expect(run.written.stdout).toContain("1 key would lower it");
    expect(run.written.stdout).toMatch(/veomni\.entropy_from_logits_with_chunking = true +peak/);
    expect(run.simulator.kills).toBe(1);
  });

  it("cancels on interrupt", async () => {
    const run = session(["--model", "."]);
    await requestOf(run);
    run.interrupt();
    expect(run.process.sent.at(-1)).toEqual({ kind: "cancel" });
    run.process.exits(0);
    expect(await run.code).toBe(1);
    expect(run.written.stderr).toMatch(/^CANCELLED: /);
  });

  it.each([
    [["--model", "absent"], 1, /^MODEL_DIRECTORY_MISSING: /],
    [["--config-json", "veomni.yaml"], 1, /^MODEL_CONFIG_INVALID: /],
    [["--model", ".", "--config", "latin.yaml"], 1, /^FILE_NOT_UTF8: /],
    [["--model", ".", "--config", "long.yaml"], 1, /^FILE_TOO_LARGE: /],
    [["--model", ".", "--config", "absent.yaml"], 1, /^FILE_MISSING: /],
    [["--model", ".", "--config", "other.yaml"], 1, /^CONFIG_FOREIGN: /],
    [["--model", ".", "--steps", "0"], 2, /^FLAG_VALUE_WRONG: --steps does not take 0\. Use a whole number/],
    [[], 2, /^ARGUMENT_MISSING: profile needs a model/],
    [["--model", ".", "--levers", "--device", "sim:H200"], 2, /^FLAGS_CONFLICT: --levers .* --config\.$/m],
    [["--model", ".", "--levers", "--config", "veomni.yaml"], 2, /^FLAGS_CONFLICT: --levers .* --device sim:H200\.$/m],
  ])("explains %j without starting a process", async (args, code, message) => {
    const run = session(args);
    expect(await run.code).toBe(code);
    expect(run.written.stderr).toMatch(message);
    expect(run.written.stdout).toBe("");
    expect(run.process.sent).toEqual([]);
  });

  it("has a help text", async () => {
    const run = session(["--help"]);
    expect(await run.code).toBe(0);
    expect(run.written.stdout).toContain("--cache-limit-gb X");
  });
});
