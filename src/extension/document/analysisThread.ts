import { Worker } from "node:worker_threads";
import type { Problem } from "../../core/base/outcome.js";
import { AskingEnd } from "../../core/channel.js";
import { threadPort } from "../../node/threadPort.js";
import { type AnalysisLine, type AnalysisRequest, type DocumentAnalysis, nothingKnown } from "./analyseText.js";

/** Longer than any text below the size limit takes; a thread that exceeds it is ended. */
const LONGEST_MS = 60_000;
const LARGEST_HEAP_MIB = 2_048;

interface Job {
  request: AnalysisRequest;
  readonly settle: ((analysis: DocumentAnalysis) => void)[];
}

/**
 * Analyses long documents in a thread of its own, one at a time. Of one document only the newest text waits: whoever asked
 * for an older one gets the newer answer. A thread that fails or hangs is replaced, and its document counts as unknown.
 */
export class AnalysisThread {
  readonly #waiting = new Map<string, Job>();
  #thread: Thread | undefined;
  #running: Job | undefined;
  #isDisposed = false;

  constructor(
    private readonly scriptPath: string,
    private readonly reportFailure: (message: string) => void,
  ) {}

  /** `key` names the document. Never rejects. */
  run(key: string, request: AnalysisRequest): Promise<DocumentAnalysis> {
    return new Promise((resolve) => {
      const job = this.#waiting.get(key) ?? { request, settle: [] };
      job.request = request;
      job.settle.push(resolve);
      this.#waiting.set(key, job);
      void this.#next();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#waiting.clear();
    void this.#thread?.worker.terminate();
  }

  async #next(): Promise<void> {
    if (this.#running !== undefined) return;
    const [key] = this.#waiting.keys();
    const job = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || job === undefined) return;
    this.#waiting.delete(key);
    this.#running = job;
    const thread = this.#thread ?? this.#start();
    this.#thread = thread;
    const timer = setTimeout(() => thread.line.end(broken(`no answer after ${LONGEST_MS / 1000} s`)), LONGEST_MS);
    const outcome = await thread.line.ask({ kind: "analyse", ...job.request }).answer;
    clearTimeout(timer);
    this.#running = undefined;
    if (!outcome.ok) this.#replace(thread, outcome.problem);
    for (const settle of job.settle) settle(outcome.ok ? outcome.value : nothingKnown);
    void this.#next();
  }

  #start(): Thread {
    const worker = new Worker(this.scriptPath, { resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP_MIB } });
    worker.unref();
    const thread = { worker, line: new AskingEnd<AnalysisLine>(threadPort(worker)) };
    worker.on("error", (error) => thread.line.end(broken(error.message)));
    worker.on("exit", (code) => {
      thread.line.end(broken(`it ended with code ${code}`));
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }

  #replace(thread: Thread, { message }: Problem): void {
    if (this.#isDisposed) return;
    this.reportFailure(message);
    if (this.#thread === thread) this.#thread = undefined;
    void thread.worker.terminate();
  }
}

interface Thread {
  readonly worker: Worker;
  readonly line: AskingEnd<AnalysisLine>;
}

function broken(reason: string): Problem {
  return {
    code: "ANALYSIS_THREAD_ENDED",
    message: `A document could not be analysed: ${reason}.`,
    nextStep: "Change the document, and it is analysed again.",
  };
}
