import type { ToProfiler } from "../../../src/core/profile/processProtocol.js";
import type { ProcessExit } from "../../../src/core/profile/profilerProblems.js";
import type { ProfilerPort, ProfilerProcess } from "../../../src/core/profile/profilerSession.js";

/** A profiler process that does what the test says, and a clock that the test moves. */
export class FakeProcess implements ProfilerPort, ProfilerProcess {
  readonly pid = 4711;
  readonly sent: ToProfiler[] = [];
  kills = 0;
  #messageListener: (message: unknown) => void = () => undefined;
  #exitListener: (exit: ProcessExit) => void = () => undefined;
  #errorListener: (reason: string) => void = () => undefined;
  #timers: { dueMs: number; action: () => void }[] = [];
  #nowMs = 0;

  start(): ProfilerProcess {
    return this;
  }
  after(delayMs: number, action: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  send(message: ToProfiler): void {
    this.sent.push(message);
  }
  kill(): void {
    this.kills += 1;
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#messageListener = listener;
  }
  onExit(listener: (exit: ProcessExit) => void): void {
    this.#exitListener = listener;
  }
  onError(listener: (reason: string) => void): void {
    this.#errorListener = listener;
  }

  says(message: unknown): void {
    this.#messageListener(message);
  }
  exits(code: number | null, signal: string | null = null): void {
    this.#exitListener({ code, signal });
  }
  breaks(reason: string): void {
    this.#errorListener(reason);
  }
  pass(ms: number): void {
    this.#nowMs += ms;
    const due = this.#timers.filter((timer) => timer.dueMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => timer.dueMs > this.#nowMs);
    for (const timer of due) timer.action();
  }
}
