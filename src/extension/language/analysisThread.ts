import { Worker } from "node:worker_threads";
import { type AnalysisRequest, type DocumentAnalysis, nothingKnown } from "./analyseText.js";

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
  #worker: Worker | undefined;
  #running: Job | undefined;
  #timer: NodeJS.Timeout | undefined;

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
      this.#next();
    });
  }

  dispose(): void {
    this.#waiting.clear();
    this.#end();
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const [key] = this.#waiting.keys();
    const job = key === undefined ? undefined : this.#waiting.get(key);
    if (key === undefined || job === undefined) return;
    this.#waiting.delete(key);
    this.#running = job;
    this.#timer = setTimeout(() => this.#fail(`no answer after ${LONGEST_MS / 1000} s`), LONGEST_MS);
    this.#thread().postMessage(job.request);
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.scriptPath, { resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP_MIB } });
    worker.unref();
    worker.on("message", (analysis: DocumentAnalysis) => {
      if (worker === this.#worker) this.#finish(analysis);
    });
    worker.on("error", (error) => {
      if (worker === this.#worker) this.#fail(error.message);
    });
    worker.on("exit", (code) => {
      if (worker === this.#worker) this.#fail(`it ended with code ${code}`);
    });
    this.#worker = worker;
    return worker;
  }

  #fail(reason: string): void {
    this.reportFailure(`A document could not be analysed: ${reason}.`);
    this.#end();
    this.#finish(nothingKnown);
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    void worker?.terminate();
  }

  #finish(analysis: DocumentAnalysis): void {
    const job = this.#running;
    this.#running = undefined;
    clearTimeout(this.#timer);
    for (const settle of job?.settle ?? []) settle(analysis);
    this.#next();
  }
}
