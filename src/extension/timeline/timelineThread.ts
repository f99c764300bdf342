import { Worker } from "node:worker_threads";
import type { Outcome, Problem } from "../../core/base/outcome.js";
import { AskingEnd } from "../../core/channel.js";
import type { Answer, ExportRequest, ProfileOverview, Question } from "../../core/timeline/query/protocol.js";
import { threadPort } from "../../node/threadPort.js";
import type { FileProgress, TimelineFile, TimelineLine } from "../../timelineWorker/messages.js";

/**
 * The thread that holds the columns of one editor tab. Nothing of a file is read or computed in the extension host, so typing
 * goes on whatever the thread does. Ending it is how an import is cancelled.
 */
export class TimelineThread {
  readonly #worker: Worker;
  readonly #line: AskingEnd<TimelineLine>;

  constructor(
    scriptPath: string,
    private readonly onProgress: (progress: FileProgress) => void,
  ) {
    this.#worker = new Worker(scriptPath);
    this.#worker.unref();
    this.#line = new AskingEnd(threadPort(this.#worker));
    this.#worker.on("error", (error) => this.#line.end(broken(error.message)));
    this.#worker.on("exit", () => this.#line.end(broken("It ended.")));
  }

  open(files: readonly TimelineFile[]): Promise<Outcome<ProfileOverview>> {
    return this.#line.ask({ kind: "open", files }, this.onProgress).answer;
  }

  ask(question: Question): Promise<Outcome<Answer>> {
    return this.#line.ask({ kind: "ask", question }).answer;
  }

  write(request: ExportRequest, path: string): Promise<Outcome<null>> {
    return this.#line.ask({ kind: "export", request, path }).answer;
  }

  /** Ends the thread; everything that was asked for fails with `reason`. */
  end(reason: Problem): void {
    this.#line.end(reason);
    void this.#worker.terminate();
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
