import { Worker } from "node:worker_threads";
import { fail, type Outcome, type Problem } from "../../core/base/outcome.js";
import type { Answer, ExportRequest, ProfileOverview, Question } from "../../core/timeline/query/protocol.js";
import type { FromWorker, TimelineFile, ToWorker } from "../../timelineWorker/messages.js";

export type ProgressListener = (message: Extract<FromWorker, { type: "progress" }>) => void;

/**
 * The thread that holds the columns of one editor tab. Nothing of a file is read or computed in the extension host, so typing
 * goes on whatever the thread does. Ending it is how an import is cancelled.
 */
export class TimelineThread {
  readonly #worker: Worker;
  readonly #answers = new Map<number, (outcome: Outcome<Answer>) => void>();
  readonly #exports = new Map<number, (outcome: Outcome<null>) => void>();
  #opened: ((outcome: Outcome<ProfileOverview>) => void) | undefined;
  #nextId = 1;
  #ended: Problem | undefined;

  constructor(
    scriptPath: string,
    private readonly onProgress: ProgressListener,
  ) {
    this.#worker = new Worker(scriptPath);
    this.#worker.unref();
    this.#worker.on("message", (message: FromWorker) => this.#receive(message));
    this.#worker.on("error", (error) => this.#end(broken(error.message)));
    this.#worker.on("exit", () => this.#end(broken("It ended.")));
  }

  open(files: readonly TimelineFile[]): Promise<Outcome<ProfileOverview>> {
    if (this.#ended !== undefined) return Promise.resolve(fail(this.#ended));
    return new Promise((resolve) => {
      this.#opened = resolve;
      this.#send({ type: "open", files });
    });
  }

  ask(question: Question): Promise<Outcome<Answer>> {
    if (this.#ended !== undefined) return Promise.resolve(fail(this.#ended));
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#answers.set(id, resolve);
      this.#send({ type: "ask", id, question });
    });
  }

  write(request: ExportRequest, path: string): Promise<Outcome<null>> {
    if (this.#ended !== undefined) return Promise.resolve(fail(this.#ended));
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#exports.set(id, resolve);
      this.#send({ type: "export", id, request, path });
    });
  }

  /** Ends the thread; everything that was asked for fails with `reason`. */
  end(reason: Problem): void {
    this.#end(reason);
    void this.#worker.terminate();
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if (this.#ended !== undefined) return;
    if (message.type === "progress") this.onProgress(message);
    else if (message.type === "opened") {
      this.#opened?.(message.outcome);
      this.#opened = undefined;
    } else if (message.type === "answer") {
      this.#answers.get(message.id)?.(message.outcome);
      this.#answers.delete(message.id);
    } else {
      this.#exports.get(message.id)?.(message.outcome);
      this.#exports.delete(message.id);
    }
  }

  #end(reason: Problem): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#opened?.(fail(reason));
    for (const answer of this.#answers.values()) answer(fail(reason));
    for (const written of this.#exports.values()) written(fail(reason));
    this.#answers.clear();
    this.#exports.clear();
  }
}

function broken(cause: string): Problem {
  return {
    code: "TIMELINE_THREAD_ENDED",
    message: "The timeline cannot be shown any more.",
    cause: `The thread that held it stopped: ${cause}`,
    nextStep:
      "Close the tab and open the file again; a file that is too large for the memory needs a shorter recording.",
  };
}
