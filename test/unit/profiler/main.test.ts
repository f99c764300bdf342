import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adaptChild } from "../../../src/core/profile/childProcess.js";
import { startProfile } from "../../../src/core/profile/profilerSession.js";

/** The real process with the real channel, in a folder where the engine is missing or is no library. */
let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-profiler-"));
  program = join(folder, "profiler.cjs");
  buildSync({ entryPoints: ["src/profiler/main.ts"], outfile: program, bundle: true, platform: "node", format: "cjs" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function forkProfiler(): ChildProcess {
  return fork(program, [], { stdio: ["ignore", "pipe", "pipe", "ipc"], execArgv: [] });
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

const port = { start: () => adaptChild(forkProfiler()), after: () => () => undefined };

describe("the profiler process", () => {
  it("lists every path it tried when the engine is missing, and ends", async () => {
    let child: ChildProcess | undefined;
    const start = () => {
      child = forkProfiler();
      return adaptChild(child);
    };
    const run = startProfile({ ...port, start }, { configJson: "{}" }, () => undefined);
    const exit = child === undefined ? undefined : ended(child);
    const outcome = await run.outcome;
    expect(outcome.ok ? undefined : outcome.problem).toMatchObject({
      code: "PROFILER_LOAD_FAILED",
      cause: expect.stringContaining(`${join(folder, "native", "offload_lens.node")} (no such file); `),
    });
    expect(await exit).toEqual({ code: 0, signal: null });
  });

  it("leaves with its parent", async () => {
    const child = forkProfiler();
    await new Promise((resolve) => child.once("spawn", resolve));
    const exit = ended(child);
    child.disconnect();
    expect(await exit).toEqual({ code: 0, signal: null });
  });

  it("is killed with a message that says so", async () => {
    const child = forkProfiler();
    const silent = { ...adaptChild(child), post: () => undefined };
    const run = startProfile({ ...port, start: () => silent }, { configJson: "{}" }, () => undefined);
    child.kill("SIGKILL");
    const outcome = await run.outcome;
    expect(outcome.ok ? undefined : outcome.problem.code).toBe("PROFILER_KILLED");
  });

  it("tells a person who starts it by hand what to do", () => {
    const { status, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^This program is started by Offload Lens/);
  });
});

describe("a damaged engine", () => {
  it("is reported with the loader's own words", async () => {
    mkdirSync(join(folder, "native"));
    writeFileSync(join(folder, "native", "offload_lens.node"), "not a library");
    const run = startProfile(port, { configJson: "{}" }, () => undefined);
    const outcome = await run.outcome;
    expect(outcome.ok ? undefined : outcome.problem).toMatchObject({
      code: "PROFILER_LOAD_FAILED",
      cause: expect.stringMatching(/invalid ELF header|file too short/),
      nextStep: expect.stringMatching(/^\(1\) Reinstall: the file is damaged/),
    });
  });
});
