import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/core/base/outcome.js";
import {
  CANCEL_ANSWER_MS,
  CANCEL_GRACE_MS,
  type FinishedProfile,
  type ProfilerRun,
  startProfile,
} from "../../../src/core/profile/profilerSession.js";
import type { ProfileProgress, ProfileRequest } from "../../../src/core/profile/request.js";
import { FakeProcess } from "./fakeProcess.js";

const request: ProfileRequest = { configJson: "{}", steps: 3 };
const resultJson = '{"schema":"offload-profile/1","device":{"kind":"cpu"},"runs":[],"warnings":[]}';
const progress = { kind: "progress", progress: { phase: "run", fraction: 0.5, message: "step 2 of 4" } };
const problem = { code: "MODEL_DIMENSIONS", message: "No layers.", nextStep: "Give it some." };

function start(process = new FakeProcess()) {
  const heard: ProfileProgress[] = [];
  const run = startProfile(process, request, (step) => heard.push(step));
  return { process, heard, run };
}

async function codeOf(run: ProfilerRun): Promise<string> {
  const outcome = await run.outcome;
  return outcome.ok ? "ok" : outcome.problem.code;
}

describe("startProfile", () => {
  it("sends the request, reports progress and gives the engine's text unchanged", async () => {
    const { process, heard, run } = start();
    expect(process.sent).toEqual([{ kind: "run", request }]);
    expect(run.pid).toBe(4711);
    process.says(progress);
    process.says({ kind: "finished", resultJson });
    process.exits(0);
    const outcome = await run.outcome;
    expect(heard).toEqual([progress.progress]);
    expect(outcome).toEqual({ ok: true, value: { resultJson, result: JSON.parse(resultJson) } });
    expect(process.kills).toBe(0);
  });

  it("passes on the engine's own problem", async () => {
    const { process, run } = start();
    process.says({ kind: "failed", problem });
    expect(await run.outcome).toEqual({ ok: false, problem });
  });

  it.each([
    [null, "SIGKILL", "PROFILER_KILLED", /killed, perhaps by the system for using too much memory/],
    [137, null, "PROFILER_KILLED", /too much memory/],
    [null, "SIGTERM", "PROFILER_KILLED", /ended from outside/],
    [null, "SIGSEGV", "PROFILER_CRASHED", /crashed/],
    [139, null, "PROFILER_CRASHED", /crashed/],
    [null, "SIGABRT", "PROFILER_CRASHED", /crashed/],
    [0, null, "PROFILER_CRASHED", /without a result/],
    [1, null, "PROFILER_CRASHED", /without a result/],
  ])("translates exit code %s, signal %s to %s", async (code, signal, expected, message) => {
    const { process, run } = start();
    process.says(progress);
    process.exits(code, signal);
    const outcome = await run.outcome;
    expect(outcome.ok ? undefined : outcome.problem).toMatchObject({
      code: expected,
      message: expect.stringMatching(message),
    });
  });

  it("lists every path that was tried when the engine cannot be loaded", async () => {
    const { process, run } = start();
    process.says({
      kind: "loadFailed",
      platform: "linux-x64",
      attempts: [
        { path: "/a/x.node", reason: "Cannot find module '/a/x.node'" },
        { path: "/b/x.node", reason: "version `GLIBC_2.38' not found" },
      ],
    });
    const outcome = await run.outcome;
    if (outcome.ok) throw new Error("loaded");
    expect(outcome.problem.code).toBe("PROFILER_LOAD_FAILED");
    expect(outcome.problem.cause).toContain("/a/x.node (Cannot find module");
    expect(outcome.problem.cause).toContain("/b/x.node (version `GLIBC_2.38' not found)");
    expect(outcome.problem.nextStep).toMatch(/^\(1\) Use a system with the newer C library.*\(2\) Install/);
  });

  it.each([
    ["not JSON", "{"],
    ["another schema", '{"schema":"offload-profile/2","device":{},"runs":[]}'],
    ["null", "null"],
  ])("refuses a result that is %s", async (_what, text) => {
    const { process, run } = start();
    process.says({ kind: "finished", resultJson: text });
    expect(await codeOf(run)).toBe("PROFILER_PROTOCOL");
  });

  it("refuses a message of an unknown kind and does not leave the process behind", async () => {
    const { process, run } = start();
    process.says({ kind: "hello" });
    expect(await codeOf(run)).toBe("PROFILER_PROTOCOL");
    process.pass(CANCEL_GRACE_MS);
    expect(process.kills).toBe(1);
  });

  it("reports a process that cannot be created", async () => {
    const throwing = { ...port(new FakeProcess()), start: () => raise("spawn EAGAIN") };
    const run = startProfile(throwing, request, () => undefined);
    expect(await run.outcome).toMatchObject({ ok: false, problem: { code: "PROFILER_START_FAILED" } });
    const { process, run: broken } = start();
    process.breaks("spawn ENOENT");
    process.exits(-2);
    expect(await broken.outcome).toMatchObject({ problem: { code: "PROFILER_START_FAILED", cause: "spawn ENOENT." } });
  });
});

describe("cancel", () => {
  it("asks once and takes the engine's answer", async () => {
    const { process, heard, run } = start();
    run.cancel();
    run.cancel();
    process.says(progress);
    process.says({ kind: "failed", problem: { ...problem, code: "CANCELLED" } });
    process.exits(0);
    expect(process.sent.map((message) => message.kind)).toEqual(["run", "cancel"]);
    expect(heard).toEqual([]);
    expect(await codeOf(run)).toBe("CANCELLED");
    process.pass(CANCEL_GRACE_MS);
    expect(process.kills).toBe(0);
  });

  it("kills a process that does not answer, after the grace and not before", async () => {
    const { process, run } = start();
    run.cancel();
    process.pass(CANCEL_GRACE_MS - 1);
    expect(process.kills).toBe(0);
    process.pass(1);
    expect(process.kills).toBe(1);
    process.exits(null, "SIGKILL");
    expect(await codeOf(run)).toBe("CANCELLED");
  });

  it("answers in time while the process still gives memory back, and leaves it the grace for that", async () => {
    const { process, run } = start();
    let answered = false;
    void run.outcome.then(() => {
      answered = true;
    });
    run.cancel();
    process.pass(CANCEL_ANSWER_MS - 1);
    await Promise.resolve();
    expect(answered).toBe(false);
    process.pass(1);
    expect(await codeOf(run)).toBe("CANCELLED");
    expect(process.kills).toBe(0);
    process.exits(0);
    process.pass(CANCEL_GRACE_MS);
    expect(process.kills).toBe(0);
  });

  it("waits for a file that is being written", async () => {
    const { process, run } = start();
    process.says({ kind: "progress", progress: { phase: "save", fraction: 1, message: "Writing the result" } });
    run.cancel();
    process.pass(CANCEL_ANSWER_MS);
    process.says({ kind: "finished", resultJson });
    expect(await codeOf(run)).toBe("ok");
  });

  it("keeps a result that was already on its way", async () => {
    const { process, run } = start();
    run.cancel();
    process.says({ kind: "finished", resultJson });
    expect(await codeOf(run)).toBe("ok");
  });

  it("does nothing after the end", async () => {
    const { process, run } = start();
    process.exits(null, "SIGSEGV");
    run.cancel();
    process.pass(CANCEL_GRACE_MS);
    expect(process.sent).toHaveLength(1);
    expect(process.kills).toBe(0);
    expect(await codeOf(run)).toBe("PROFILER_CRASHED");
  });
});

describe("any order of events", () => {
  const events = {
    progress: (fake: FakeProcess) => fake.says(progress),
    finished: (fake: FakeProcess) => fake.says({ kind: "finished", resultJson }),
    failed: (fake: FakeProcess) => fake.says({ kind: "failed", problem }),
    garbage: (fake: FakeProcess) => fake.says(42),
    killed: (fake: FakeProcess) => fake.exits(null, "SIGKILL"),
    exited: (fake: FakeProcess) => fake.exits(0),
    broke: (fake: FakeProcess) => fake.breaks("channel closed"),
    cancel: (_fake: FakeProcess, run: ProfilerRun) => run.cancel(),
    grace: (fake: FakeProcess) => fake.pass(CANCEL_GRACE_MS),
  } as const;
  type EventName = keyof typeof events;
  const names = Object.keys(events) as EventName[];

  /** The rules in words, written a second time: the first event that ends the run decides. */
  function expectedCode(order: readonly EventName[]): string | undefined {
    let cancelled = false;
    for (const name of order) {
      if (name === "cancel") cancelled = true;
      else if (name === "finished") return "ok";
      else if (name === "failed") return problem.code;
      else if (name === "garbage") return "PROFILER_PROTOCOL";
      else if (name === "grace" && cancelled) return "CANCELLED";
      else if (name === "killed") return cancelled ? "CANCELLED" : "PROFILER_KILLED";
      else if (name === "exited") return cancelled ? "CANCELLED" : "PROFILER_CRASHED";
      else if (name === "broke") return cancelled ? "CANCELLED" : "PROFILER_START_FAILED";
    }
    return undefined;
  }

  it("gives exactly one outcome, decided by the first event that ends the run", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 8 }), async (order) => {
        const { process, run } = start();
        const outcomes: Outcome<FinishedProfile>[] = [];
        void run.outcome.then((outcome) => outcomes.push(outcome));
        for (const name of order) events[name](process, run);
        await Promise.resolve();
        await Promise.resolve();
        const codes = outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.problem.code));
        const expected = expectedCode(order);
        expect(codes).toEqual(expected === undefined ? [] : [expected]);
      }),
      { seed: 20, numRuns: 2000 },
    );
  });
});

function port(process: FakeProcess) {
  return {
    start: () => process.start(),
    after: (delayMs: number, action: () => void) => process.after(delayMs, action),
  };
}

function raise(message: string): never {
  throw new Error(message);
}
