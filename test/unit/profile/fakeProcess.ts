import { fail, succeed } from "../../../src/core/base/outcome.js";
import type { EnginePort, EngineProcess } from "../../../src/core/profile/childProcess.js";
import type { EngineRequest } from "../../../src/core/profile/processProtocol.js";
import type { ProcessExit } from "../../../src/core/profile/profilerProblems.js";

/** What a test lets a process say, in few words; anything else goes out as it is. */
interface Words {
  readonly kind?: unknown;
  readonly progress?: unknown;
  readonly resultJson?: unknown;
  readonly problem?: unknown;
}

/** The packet of the line (core/channel.ts) that says it about the request `id`. */
export function packetOf(words: unknown, id: number): unknown {
  const { kind, ...said } = (typeof words === "object" && words !== null ? words : {}) as Words;
  if (kind === "progress") return { packet: "progress", id, body: said.progress };
  if (kind === "finished") return { packet: "answer", id, body: succeed(said) };
  if (kind === "failed") return { packet: "answer", id, body: fail(said.problem as Parameters<typeof fail>[0]) };
  return kind === "loadFailed" ? { packet: "told", body: said } : words;
}

/** What the other side was sent: its request, or that it is cancelled. */
export function requestOf(packet: unknown): EngineRequest | { readonly kind: "cancel" } {
  const { packet: what, body } = packet as { readonly packet: string; readonly body: EngineRequest };
  return what === "cancel" ? { kind: "cancel" } : body;
}

/** A profiler process that does what the test says, and a clock that the test moves. */
export class FakeProcess implements EnginePort, EngineProcess {
  readonly pid = 4711;
  readonly sent: ReturnType<typeof requestOf>[] = [];
  kills = 0;
  #messageListener: (message: unknown) => void = () => undefined;
  #exitListener: (exit: ProcessExit) => void = () => undefined;
  #errorListener: (reason: string) => void = () => undefined;
  #timers: { dueMs: number; action: () => void }[] = [];
  #nowMs = 0;

  start(): EngineProcess {
    return this;
  }
  after(delayMs: number, action: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  post(message: unknown): void {
    this.sent.push(requestOf(message));
  }
  kill(): void {
    this.kills += 1;
  }
  listen(listener: (message: unknown) => void): void {
    this.#messageListener = listener;
  }
  onExit(listener: (exit: ProcessExit) => void): void {
    this.#exitListener = listener;
  }
  onError(listener: (reason: string) => void): void {
    this.#errorListener = listener;
  }

  /** About the request `id`, counted from 1. */
  says(message: unknown, id = 1): void {
    this.#messageListener(packetOf(message, id));
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
