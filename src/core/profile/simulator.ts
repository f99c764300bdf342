import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { AskingEnd } from "../channel.js";
import type { EnginePort, EngineProcess } from "./childProcess.js";
import { fromEngine } from "./fromEngine.js";
import type { EngineLine } from "./processProtocol.js";
import { exitProblem, loadProblem, protocolProblem, startProblem } from "./profilerProblems.js";
import { startProcess } from "./profilerSession.js";
import type { ProfileRequest } from "./request.js";
import type { ProfileResult } from "./result.js";

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
  #engine: Engine | undefined;
  #running: Job | undefined;

  constructor(private readonly port: EnginePort) {}

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
    for (const job of this.#waiting.splice(0)) job.settle(fail(superseded));
    if (this.#engine !== undefined) this.#stop(this.#engine, superseded);
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    const engine = this.#started();
    if (!engine.ok) {
      this.#settle(job, engine);
      return;
    }
    const asked = engine.value.line.ask({ kind: "run", request: job.request });
    const revokeLimit = this.port.after(LONGEST_SIMULATION_MS, () => this.#stop(engine.value, tooLong));
    void asked.answer.then((answer) => {
      revokeLimit();
      this.#settle(job, answer.ok ? readResult(answer.value.resultJson) : answer);
    });
  }

  #started(): Outcome<Engine> {
    if (this.#engine !== undefined) return succeed(this.#engine);
    const started = startProcess(this.port);
    if (!started.ok) return started;
    const process = started.value;
    const engine: Engine = {
      process,
      line: new AskingEnd<EngineLine>(process, {
        checks: fromEngine,
        onAnnounced: ({ platform, attempts }) => this.#stop(engine, loadProblem(platform, attempts)),
      }),
    };
    process.onExit((exit) => this.#lost(engine, exitProblem(exit)));
    process.onError((reason) => this.#lost(engine, startProblem(reason)));
    this.#engine = engine;
    return succeed(engine);
  }

  #lost(engine: Engine, problem: Problem): void {
    if (this.#engine === engine) this.#engine = undefined;
    engine.line.end(problem);
  }

  #stop(engine: Engine, problem: Problem): void {
    this.#lost(engine, problem);
    engine.process.kill();
  }

  #settle(job: Job, outcome: Outcome<ProfileResult>): void {
    this.#running = undefined;
    job.settle(outcome);
    this.#next();
  }
}

interface Engine {
  readonly process: EngineProcess;
  readonly line: AskingEnd<EngineLine>;
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
