import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { type Asked, AskingEnd } from "../channel.js";
import type { EnginePort, EngineProcess } from "./childProcess.js";
import { fromEngine } from "./fromEngine.js";
import type { EngineLine, EngineRequest, EngineText } from "./processProtocol.js";
import { cancelledProblem, exitProblem, loadProblem, protocolProblem, startProblem } from "./profilerProblems.js";
import type { ProfileProgress, ProfileRequest } from "./request.js";
import type { ProfileResult } from "./result.js";

/** The engine's text and what it says. */
export interface FinishedText<Result> {
  readonly resultJson: string;
  readonly result: Result;
  /** The result stands, but not in the file that the request named. */
  readonly saveProblem?: Problem;
}

export type FinishedProfile = FinishedText<ProfileResult>;

/** A run under way. `outcome` settles exactly once and never rejects. */
export interface ProfilerRun<Finished = FinishedProfile> {
  readonly pid: number | undefined;
  readonly outcome: Promise<Outcome<Finished>>;
  /** Asks the process to stop; one that does not within the grace is killed. Harmless after the end. */
  cancel(): void;
}

/**
 * The answer to a cancel comes after this time at the latest, whatever the process still has to give back: to unpin gigabytes
 * takes a GPU's driver seconds.
 */
export const CANCEL_ANSWER_MS = 150;

/** A process that has not ended by itself so long after a cancel is killed. */
export const CANCEL_GRACE_MS = 2000;

/**
 * Runs one profile in a process of its own. Whatever order messages, exits and errors come in, the outcome is the first of:
 * the result, a coded Problem of the engine, a translated exit, or `CANCELLED` once `cancel` was called.
 */
export function startProfile(
  port: EnginePort,
  request: ProfileRequest,
  onProgress: (progress: ProfileProgress) => void,
): ProfilerRun {
  return startInProcess(port, { kind: "run", request }, readResult, onProgress);
}

/** The same for any work of the engine; `read` turns its text into what was asked for. */
export function startInProcess<Finished>(
  port: EnginePort,
  work: EngineRequest,
  read: (resultJson: string, saveProblem: Problem | undefined) => Outcome<Finished>,
  onProgress: (progress: ProfileProgress) => void,
): ProfilerRun<Finished> {
  const started = startProcess(port);
  if (!started.ok) return { pid: undefined, outcome: Promise.resolve(started), cancel: () => undefined };
  return new RunningWork(port, started.value, read, onProgress).run(work);
}

class RunningWork<Finished> {
  readonly #line: AskingEnd<EngineLine>;
  #cancelled = false;
  /** A file is being written: it will be there in spite of a cancel, so the process has the word. */
  #saving = false;
  /** The process ended, broke or was killed. */
  #isGone = false;
  #revokeKill: () => void = () => undefined;

  constructor(
    private readonly port: EnginePort,
    private readonly process: EngineProcess,
    private readonly read: (resultJson: string, saveProblem: Problem | undefined) => Outcome<Finished>,
    private readonly onProgress: (progress: ProfileProgress) => void,
  ) {
    this.#line = new AskingEnd<EngineLine>(process, {
      checks: fromEngine,
      onAnnounced: ({ platform, attempts }) => this.#line.end(loadProblem(platform, attempts)),
      onUnreadable: () => this.#line.end(protocolProblem("It sent a message of an unknown kind.")),
    });
    process.onExit((exit) => this.#gone(exitProblem(exit)));
    process.onError((reason) => this.#gone(startProblem(reason)));
  }

  run(work: EngineRequest): ProfilerRun<Finished> {
    const asked = this.#line.ask(work, (progress) => this.#take(progress));
    const outcome = asked.answer.then((answer) => {
      // It ends by itself after its last word; one that does not must not stay behind.
      if (!this.#isGone) this.#killAfterGrace();
      return answer.ok ? this.read(answer.value.resultJson, answer.value.saveProblem) : answer;
    });
    return { pid: this.process.pid, outcome, cancel: () => this.#cancel(asked) };
  }

  #take(progress: ProfileProgress): void {
    if (progress.phase === "save") this.#saving = true;
    if (!this.#cancelled) this.onProgress(progress);
  }

  #cancel(asked: Asked<EngineText>): void {
    if (this.#cancelled || !asked.isOpen) return;
    this.#cancelled = true;
    asked.cancel();
    this.port.after(CANCEL_ANSWER_MS, () => {
      if (!this.#saving) this.#line.end(cancelledProblem());
    });
    this.#killAfterGrace();
  }

  #killAfterGrace(): void {
    this.#revokeKill();
    this.#revokeKill = this.port.after(CANCEL_GRACE_MS, () => {
      this.process.kill();
      this.#gone(cancelledProblem());
    });
  }

  /** Ends without a word from the process itself: after a cancel that is what was asked for. */
  #gone(problem: Problem): void {
    this.#isGone = true;
    this.#revokeKill();
    this.#line.end(this.#cancelled ? cancelledProblem() : problem);
  }
}

/** Starts a process; fails with `PROFILER_START_FAILED`. */
export function startProcess(port: EnginePort): Outcome<EngineProcess> {
  try {
    return succeed(port.start());
  } catch (error) {
    return fail(startProblem(error instanceof Error ? error.message : String(error)));
  }
}

function readResult(resultJson: string, saveProblem: Problem | undefined): Outcome<FinishedProfile> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(resultJson);
  } catch {
    return fail(protocolProblem("Its result is not JSON."));
  }
  if (!isProfileResult(parsed)) return fail(protocolProblem("Its result is not of the schema offload-profile/1."));
  return succeed({ resultJson, result: parsed, ...(saveProblem === undefined ? {} : { saveProblem }) });
}

// The engine is part of the same package: the schema's name and the members that tell it apart are enough.
function isProfileResult(value: unknown): value is ProfileResult {
  if (typeof value !== "object" || value === null) return false;
  const result = value as { readonly schema?: unknown; readonly runs?: unknown; readonly device?: unknown };
  return result.schema === "offload-profile/1" && Array.isArray(result.runs) && typeof result.device === "object";
}
