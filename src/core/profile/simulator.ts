import { fail, type Outcome, succeed } from "../base/outcome.js";
import { exitProblem, loadProblem, type ProcessExit, protocolProblem, startProblem } from "./profilerProblems.js";
import type { ProfileRequest } from "./request.js";
import type { ProfileResult } from "./result.js";
import { type FromSimulator, readFromSimulator, type ToSimulator } from "./simulatorProtocol.js";

/** A started simulator process, as a shell sees it. */
export interface SimulatorProcess {
  send(message: ToSimulator): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (exit: ProcessExit) => void): void;
  onError(listener: (reason: string) => void): void;
}

/** What a shell lends: how to start the process, and a clock. */
export interface SimulatorPort {
  /** May throw when the process cannot be created. */
  start(): SimulatorProcess;
  /** Calls `action` once after `delayMs`; the result revokes it. */
  after(delayMs: number, action: () => void): () => void;
}

/** A simulation of the largest request that the engine takes ends long before. */
export const LONGEST_SIMULATION_MS = 30_000;

interface Job {
  readonly request: ProfileRequest;
  readonly key: string | undefined;
  readonly settle: (outcome: Outcome<ProfileResult>) => void;
}

/**
 * Simulates in one process that is started on the first request and kept. Requests run in order, one at a time; of those with
 * one key only the newest waits, and the others fail with `SIMULATION_SUPERSEDED`. A process that ends or hangs fails its
 * request and is replaced for the next. Outcomes never reject.
 */
export class Simulator {
  readonly #waiting: Job[] = [];
  #process: SimulatorProcess | undefined;
  #running: Job | undefined;
  #lastId = 0;
  #revokeLimit: () => void = () => undefined;

  constructor(private readonly port: SimulatorPort) {}

  simulate(request: ProfileRequest, key?: string): Promise<Outcome<ProfileResult>> {
    return new Promise((settle) => {
      const older = key === undefined ? -1 : this.#waiting.findIndex((job) => job.key === key);
      for (const job of older < 0 ? [] : this.#waiting.splice(older, 1)) job.settle(fail(superseded));
      this.#waiting.push({ request, key, settle });
      this.#next();
    });
  }

  /** Ends the process; what waits fails. */
  dispose(): void {
    const waiting = this.#waiting.splice(0);
    this.#stop();
    this.#settle(fail(superseded));
    for (const job of waiting) job.settle(fail(superseded));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    const started = this.#started();
    if (!started.ok) {
      this.#settle(started);
      return;
    }
    this.#lastId += 1;
    this.#revokeLimit = this.port.after(LONGEST_SIMULATION_MS, () => {
      this.#stop();
      this.#settle(fail(tooLong));
    });
    started.value.send({ kind: "simulate", id: this.#lastId, request: job.request });
  }

  #started(): Outcome<SimulatorProcess> {
    if (this.#process !== undefined) return succeed(this.#process);
    try {
      const process = this.port.start();
      this.#process = process;
      process.onMessage((message) => {
        if (process === this.#process) this.#receive(readFromSimulator(message));
      });
      process.onExit((exit) => this.#lost(process, fail(exitProblem(exit))));
      process.onError((reason) => this.#lost(process, fail(startProblem(reason))));
      return succeed(process);
    } catch (error) {
      return fail(startProblem(error instanceof Error ? error.message : String(error)));
    }
  }

  #receive(message: FromSimulator | undefined): void {
    if (message?.kind === "loadFailed") {
      this.#stop();
      this.#settle(fail(loadProblem(message.platform, message.attempts)));
      return;
    }
    if (message === undefined || message.id !== this.#lastId) return;
    this.#settle(message.kind === "refused" ? fail(message.problem) : readResult(message.resultJson));
  }

  #lost(process: SimulatorProcess, outcome: Outcome<ProfileResult>): void {
    if (process !== this.#process) return;
    this.#process = undefined;
    this.#settle(outcome);
  }

  #stop(): void {
    const process = this.#process;
    this.#process = undefined;
    process?.kill();
  }

  #settle(outcome: Outcome<ProfileResult>): void {
    this.#revokeLimit();
    const job = this.#running;
    this.#running = undefined;
    job?.settle(outcome);
    this.#next();
  }
}

const superseded = {
  code: "SIMULATION_SUPERSEDED",
  message: "A newer simulation took the place of this one.",
  nextStep: "Wait for the newer one.",
};

const tooLong = {
  code: "SIMULATION_TOO_LONG",
  message: `The simulation did not end within ${LONGEST_SIMULATION_MS / 1000} s.`,
  nextStep: "Use fewer layers or steps.",
};

// The engine is part of the same package: schema and runs are enough.
function readResult(resultJson: string): Outcome<ProfileResult> {
  try {
    const result = JSON.parse(resultJson) as Partial<ProfileResult> | null;
    if (result?.schema === "offload-profile/1" && Array.isArray(result.runs)) return succeed(result as ProfileResult);
  } catch {
    // Said below.
  }
  return fail(protocolProblem("Its result is not of the schema offload-profile/1."));
}
