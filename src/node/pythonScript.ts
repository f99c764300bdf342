import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { type DumpEnd, dumpProblem } from "../core/modules/source/pythonDump.js";

/** A script and the interpreter that runs it. */
export interface ScriptRun {
  readonly script: string;
  /** The interpreter: a path, or a name found through PATH. */
  readonly python: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Called with what stands behind `progress: ` in a line of standard error. */
  readonly onProgress?: (text: string) => void;
}

/** What a run may take at most. */
export interface ScriptLimits {
  readonly limitSeconds: number;
  readonly maxOutputBytes: number;
}

const maxErrorLength = 64 * 1024;
/** The script has its own limit; ours holds for an interpreter that does not listen. */
const extraMs = 500;
/** How long what a process wrote before it ended may still be on its way; a process that it left behind may hold the pipe for ever. */
const graceMs = 1000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs a script to its end and gives what it wrote to standard output. Settles soon after the interpreter has ended, or was ended by
 * the limits or the signal, whoever still holds its pipes; its process group ends with it. Fails as `dumpProblem` says.
 */
export function runScript(run: ScriptRun, args: readonly string[], limits: ScriptLimits): Promise<Outcome<Uint8Array>> {
  return new Promise((settle) => {
    new RunningScript(run, args, limits, settle).start();
  });
}

class RunningScript {
  readonly #output: Uint8Array[] = [];
  readonly #ended = { timedOut: false, cancelled: false, notStarted: false, tooLarge: false };
  readonly #timers = new Set<NodeJS.Timeout>();
  #child: Child | undefined;
  #outputBytes = 0;
  #stderr = "";
  #exitCode: number | null = null;
  #isSettled = false;

  constructor(
    private readonly run: ScriptRun,
    private readonly args: readonly string[],
    private readonly limits: ScriptLimits,
    private readonly settle: (outcome: Outcome<Uint8Array>) => void,
  ) {}

  start(): void {
    const { signal } = this.run;
    if (signal?.aborted === true) {
      this.#end("cancelled");
      return;
    }
    const child = this.#spawned();
    if (child === undefined) {
      this.#end("notStarted");
      return;
    }
    this.#child = child;
    this.#after(this.limits.limitSeconds * 1000 + extraMs, () => this.#end("timedOut"));
    signal?.addEventListener("abort", this.#cancel, { once: true });
    child.stdout.on("data", (chunk: Uint8Array) => this.#take(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    child.on("error", () => this.#end("notStarted"));
    child.on("exit", (code) => {
      this.#exitCode = code;
      this.#after(graceMs, () => this.#finish());
    });
    child.on("close", () => this.#finish());
  }

  /** In its own process group, so that whatever the libraries started ends with it. Node throws what it does not emit: a loop of links. */
  #spawned(): Child | undefined {
    const { python, script, env } = this.run;
    try {
      return spawn(python, ["-u", script, ...this.args], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    } catch {
      return undefined;
    }
  }

  readonly #cancel = () => this.#end("cancelled");

  #take(chunk: Uint8Array): void {
    this.#outputBytes += chunk.length;
    if (this.#outputBytes > this.limits.maxOutputBytes) this.#end("tooLarge");
    else this.#output.push(chunk);
  }

  #read(text: string): void {
    for (const line of text.split("\n"))
      if (line.startsWith("progress: ")) this.run.onProgress?.(line.slice(10).trim());
    this.#stderr = (this.#stderr + text).slice(-maxErrorLength);
  }

  #after(delayMs: number, action: () => void): void {
    this.#timers.add(setTimeout(action, delayMs));
  }

  /** For a reason of our own: nothing that it still says is of interest. */
  #end(reason: keyof DumpEnd & ("timedOut" | "cancelled" | "notStarted" | "tooLarge")): void {
    if (this.#isSettled) return;
    this.#ended[reason] = true;
    this.#finish();
  }

  #finish(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.run.signal?.removeEventListener("abort", this.#cancel);
    this.#letGo();
    const { python } = this.run;
    const { limitSeconds: timeLimitSeconds, maxOutputBytes } = this.limits;
    const isComplete = this.#exitCode === 0 && Object.values(this.#ended).every((value) => !value);
    const end: DumpEnd = {
      python,
      exitCode: this.#exitCode,
      stderr: this.#stderr,
      timeLimitSeconds,
      maxOutputBytes,
      ...this.#ended,
    };
    this.settle(isComplete ? succeed(Buffer.concat(this.#output)) : fail(dumpProblem(end)));
  }

  /** Ends the process group, and keeps this process from waiting for pipes or a process that does not die. */
  #letGo(): void {
    const child = this.#child;
    if (child === undefined) return;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}
