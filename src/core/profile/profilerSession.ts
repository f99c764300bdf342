import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { type FromProfiler, readFromProfiler, type ToProfiler } from "./processProtocol.js";
import {
  cancelledProblem,
  exitProblem,
  loadProblem,
  type ProcessExit,
  protocolProblem,
  startProblem,
} from "./profilerProblems.js";
import type { ProfileProgress, ProfileRequest } from "./request.js";
import type { ProfileResult } from "./result.js";

/** A started profiler process, as a shell sees it. Listeners may be called in any order and more than once. */
export interface ProfilerProcess<Message = ToProfiler> {
  readonly pid: number | undefined;
  /** Never throws; a message to a process that is gone is dropped. */
  send(message: Message): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The process has ended and every message it sent has been delivered. */
  onExit(listener: (exit: ProcessExit) => void): void;
  /** The process could not be started, or its channel broke. */
  onError(listener: (reason: string) => void): void;
}

/** What a shell lends to a run: how to start a process, and a clock. */
export interface ProfilerPort {
  /** May throw when the process cannot be created. */
  start(): ProfilerProcess;
  /** Calls `action` once after `delayMs`; the result revokes it. */
  after(delayMs: number, action: () => void): () => void;
}

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
  port: ProfilerPort,
  request: ProfileRequest,
  onProgress: (progress: ProfileProgress) => void,
): ProfilerRun {
  return startInProcess(port, { kind: "run", request }, readResult, onProgress);
}

/** The same for any work of the engine; `read` turns its text into what was asked for. */
export function startInProcess<Finished>(
  port: ProfilerPort,
  work: ToProfiler,
  read: (resultJson: string, saveProblem: Problem | undefined) => Outcome<Finished>,
  onProgress: (progress: ProfileProgress) => void,
): ProfilerRun<Finished> {
  const started = startProcess(port);
  if (!started.ok) return { pid: undefined, outcome: Promise.resolve(started), cancel: () => undefined };
  return new RunningWork(port, started.value, read, onProgress).run(work);
}

class RunningWork<Finished> {
  readonly #settled = new SettleOnce<Outcome<Finished>>();
  #cancelled = false;
  /** A file is being written: it will be there in spite of a cancel, so the process has the word. */
  #saving = false;
  #revokeKill: () => void = () => undefined;

  constructor(
    private readonly port: ProfilerPort,
    private readonly process: ProfilerProcess,
    private readonly read: (resultJson: string, saveProblem: Problem | undefined) => Outcome<Finished>,
    private readonly onProgress: (progress: ProfileProgress) => void,
  ) {}

  run(work: ToProfiler): ProfilerRun<Finished> {
    this.process.onMessage((message) => this.#receive(message));
    this.process.onExit((exit) => {
      this.#revokeKill();
      this.#end(fail(exitProblem(exit)));
    });
    this.process.onError((reason) => this.#end(fail(startProblem(reason))));
    this.process.send(work);
    return { pid: this.process.pid, outcome: this.#settled.promise, cancel: () => this.#cancel() };
  }

  #receive(message: unknown): void {
    if (this.#settled.done) return;
    const read = readFromProfiler(message);
    if (read?.kind === "progress") {
      if (read.progress.phase === "save") this.#saving = true;
      if (!this.#cancelled) this.onProgress(read.progress);
      return;
    }
    this.#settled.settle(outcomeOf(read, this.read));
    // It ends by itself after its last word; one that does not must not stay behind.
    this.#killAfterGrace();
  }

  #cancel(): void {
    if (this.#cancelled || this.#settled.done) return;
    this.#cancelled = true;
    this.process.send({ kind: "cancel" });
    this.port.after(CANCEL_ANSWER_MS, () => {
      if (!this.#saving) this.#end(fail(cancelledProblem()));
    });
    this.#killAfterGrace();
  }

  #killAfterGrace(): void {
    this.#revokeKill();
    this.#revokeKill = this.port.after(CANCEL_GRACE_MS, () => {
      this.process.kill();
      this.#end(fail(cancelledProblem()));
    });
  }

  /** Ends without a word from the process itself: after a cancel that is what was asked for. */
  #end(outcome: Outcome<Finished>): void {
    this.#settled.settle(this.#cancelled ? fail(cancelledProblem()) : outcome);
  }
}

function outcomeOf<Finished>(
  message: Exclude<FromProfiler, { kind: "progress" }> | undefined,
  read: (resultJson: string, saveProblem: Problem | undefined) => Outcome<Finished>,
): Outcome<Finished> {
  switch (message?.kind) {
    case "finished":
      return read(message.resultJson, message.saveProblem);
    case "failed":
      return fail(message.problem);
    case "loadFailed":
      return fail(loadProblem(message.platform, message.attempts));
    case undefined:
      return fail(protocolProblem("It sent a message of an unknown kind."));
  }
}

function startProcess(port: ProfilerPort): Outcome<ProfilerProcess> {
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

/** A promise that only the first `settle` settles. */
class SettleOnce<T> {
  readonly promise: Promise<T>;
  #resolve: ((value: T) => void) | undefined;

  constructor() {
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get done(): boolean {
    return this.#resolve === undefined;
  }

  settle(value: T): void {
    this.#resolve?.(value);
    this.#resolve = undefined;
  }
}
