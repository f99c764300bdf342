import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adaptChild } from "../../../src/core/profile/childProcess.js";
import { Simulator } from "../../../src/core/profile/simulator.js";

/** The real process with the real channel; beside it no engine, or one written in JavaScript. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-simulator-"));
  for (const name of ["bare", "fake"]) {
    buildSync({
      entryPoints: ["src/profiler/simulatorMain.ts"],
      outfile: join(folder, name, "simulator.cjs"),
      bundle: true,
      platform: "node",
      format: "cjs",
    });
  }
  // Resolved as a module by its name, as the library would be.
  mkdirSync(join(folder, "fake", "native", "offload_lens.node"), { recursive: true });
  writeFileSync(
    join(folder, "fake", "native", "offload_lens.node", "index.js"),
    `exports.version = () => "0";
     exports.profile = (text) => {
       const { configJson } = JSON.parse(text);
       if (configJson === "crash") process.kill(process.pid, "SIGKILL");
       const problem = { code: "MODEL_DIMENSIONS", message: "m", nextStep: "n" };
       const result = { schema: "offload-profile/1", runs: [], device: { name: configJson + process.pid } };
       return { promise: Promise.resolve(JSON.stringify(configJson === "bad" ? { problem } : result)), cancel() {} };
     };
     exports.link = exports.profile;`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(name: string): { readonly simulator: Simulator; readonly children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const simulator = new Simulator({
    start() {
      const child = fork(join(folder, name, "simulator.cjs"), [], {
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        execArgv: [],
      });
      children.push(child);
      return adaptChild(child);
    },
    after: () => () => undefined,
  });
  return { simulator, children };
}

async function answerOf(simulator: Simulator, configJson: string): Promise<string> {
  const outcome = await simulator.simulate({ configJson, device: "sim:H200" });
  return outcome.ok ? outcome.value.device.name : outcome.problem.code;
}

describe("the simulator process", () => {
  test("answers many requests, refusals among them, and is replaced when it dies", async () => {
    const { simulator, children } = start("fake");
    const first = await answerOf(simulator, "a");
    expect(first).toBe(`a${children[0]?.pid}`);
    expect(await answerOf(simulator, "bad")).toBe("MODEL_DIMENSIONS");
    expect(await answerOf(simulator, "b")).toBe(`b${children[0]?.pid}`);
    expect(await answerOf(simulator, "crash")).toBe("PROFILER_KILLED");
    expect(await answerOf(simulator, "c")).toBe(`c${children[1]?.pid}`);
    simulator.dispose();
  });

  test("says which paths it tried where there is no engine", async () => {
    const { simulator } = start("bare");
    const outcome = await simulator.simulate({ configJson: "{}", device: "sim:H200" });
    expect(outcome.ok ? undefined : outcome.problem).toMatchObject({
      code: "PROFILER_LOAD_FAILED",
      cause: expect.stringContaining(join(folder, "bare", "native", "offload_lens.node")),
    });
    simulator.dispose();
  });

  test("leaves with its parent, and tells a person who starts it by hand what to do", async () => {
    const child = fork(join(folder, "fake", "simulator.cjs"), [], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [],
    });
    await new Promise((resolve) => child.once("spawn", resolve));
    const exit = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    child.disconnect();
    expect(await exit).toBe(0);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "fake", "simulator.cjs")], {
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^This program is started by Offload Lens/);
  });
});
