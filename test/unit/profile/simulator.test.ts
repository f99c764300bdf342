import { beforeEach, describe, expect, test } from "vitest";
import type { EngineProcess } from "../../../src/core/profile/childProcess.js";
import type { ProcessExit } from "../../../src/core/profile/profilerProblems.js";
import type { ProfileRequest } from "../../../src/core/profile/request.js";
import { Simulator } from "../../../src/core/profile/simulator.js";
import { packetOf } from "./fakeProcess.js";

/** A process whose answers the test gives. */
class FakeSimulator implements EngineProcess {
  readonly pid = 4712;
  readonly sent: { readonly id: number; readonly body: { readonly request: ProfileRequest } }[] = [];
  killed = false;
  message: (message: unknown) => void = () => undefined;
  exit: (exit: ProcessExit) => void = () => undefined;
  error: (reason: string) => void = () => undefined;

  post(message: unknown): void {
    this.sent.push(message as (typeof this.sent)[number]);
  }
  kill(): void {
    this.killed = true;
  }
  listen(listener: (message: unknown) => void): void {
    this.message = listener;
  }
  onExit(listener: (exit: ProcessExit) => void): void {
    this.exit = listener;
  }
  onError(listener: (reason: string) => void): void {
    this.error = listener;
  }

  answer(text: string): void {
    const resultJson = JSON.stringify({ schema: "offload-profile/1", runs: [], device: { name: text } });
    this.says({ kind: "finished", resultJson });
  }
  says(words: unknown): void {
    this.message(packetOf(words, this.sent.at(-1)?.id ?? 0));
  }
}

let processes: FakeSimulator[];
let timers: (() => void)[];
let simulator: Simulator;

beforeEach(() => {
  processes = [];
  timers = [];
  simulator = new Simulator({
    start() {
      const process = new FakeSimulator();
      processes.push(process);
      return process;
    },
    after(_delayMs, action) {
      timers.push(action);
      return () => {
        timers = timers.filter((timer) => timer !== action);
      };
    },
  });
});

const request = (name: string) => ({ configJson: name, device: "sim:H200" });

async function nameOf(answer: ReturnType<Simulator["simulate"]>): Promise<string> {
  const outcome = await answer;
  return outcome.ok ? outcome.value.device.name : outcome.problem.code;
}

test("requests go to one process, one at a time, in order", async () => {
  const first = simulator.simulate(request("a"));
  const second = simulator.simulate(request("b"));
  expect(processes[0]?.sent.map((message) => message.body.request.configJson)).toEqual(["a"]);
  processes[0]?.answer("A");
  expect(await nameOf(first)).toBe("A");
  expect(processes[0]?.sent.map((message) => message.body.request.configJson)).toEqual(["a", "b"]);
  processes[0]?.answer("B");
  expect(await nameOf(second)).toBe("B");
  expect(processes).toHaveLength(1);
  expect(timers).toHaveLength(0);
});

test("of one key only the newest waits", async () => {
  const running = simulator.simulate(request("1"), "block");
  const superseded = simulator.simulate(request("2"), "block");
  const newest = simulator.simulate(request("3"), "block");
  expect(await nameOf(superseded)).toBe("SIMULATION_SUPERSEDED");
  processes[0]?.answer("one");
  expect(await nameOf(running)).toBe("one");
  processes[0]?.answer("three");
  expect(await nameOf(newest)).toBe("three");
  expect(processes[0]?.sent).toHaveLength(2);
});

describe("failures", () => {
  test("a process that ends fails its request, and the next one gets a new process", async () => {
    const lost = simulator.simulate(request("a"));
    const next = simulator.simulate(request("b"));
    processes[0]?.exit({ code: null, signal: "SIGSEGV" });
    expect(await nameOf(lost)).toBe("PROFILER_CRASHED");
    expect(processes).toHaveLength(2);
    // The end of the old one says nothing about the new one.
    processes[0]?.error("late");
    processes[1]?.answer("B");
    expect(await nameOf(next)).toBe("B");
  });

  test("a process that hangs is ended", async () => {
    const hanging = simulator.simulate(request("a"));
    timers[0]?.();
    expect(await nameOf(hanging)).toBe("SIMULATION_TOO_LONG");
    expect(processes[0]?.killed).toBe(true);
  });

  test("the engine's refusal and its absence are passed on", async () => {
    const refused = simulator.simulate(request("a"));
    const problem = { code: "DEVICE_UNKNOWN", message: "m", nextStep: "n" };
    processes[0]?.says({ kind: "failed", problem });
    expect(await nameOf(refused)).toBe("DEVICE_UNKNOWN");
    const absent = simulator.simulate(request("b"));
    processes[0]?.says({ kind: "loadFailed", platform: "linux-x64", attempts: [{ path: "/p", reason: "r" }] });
    expect(await nameOf(absent)).toBe("PROFILER_LOAD_FAILED");
  });

  test("messages of no kind and of another request change nothing; a result of another schema is a problem", async () => {
    const answer = simulator.simulate(request("a"));
    const other = packetOf({ kind: "finished", resultJson: "{}" }, 7);
    for (const message of [undefined, 3, {}, { packet: "answer", id: 1, body: { ok: true } }, other])
      processes[0]?.message(message);
    processes[0]?.says({ kind: "finished", resultJson: "{}" });
    expect(await nameOf(answer)).toBe("PROFILER_PROTOCOL");
  });

  test("after dispose nothing waits and no process stays", async () => {
    const running = simulator.simulate(request("a"));
    const waiting = simulator.simulate(request("b"));
    simulator.dispose();
    expect(await nameOf(running)).toBe("SIMULATION_SUPERSEDED");
    expect(await nameOf(waiting)).toBe("SIMULATION_SUPERSEDED");
    expect(processes.map(({ killed }) => killed)).toEqual([true]);
  });
});
