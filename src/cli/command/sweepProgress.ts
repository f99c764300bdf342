import type { EnginePort } from "../../core/profile/childProcess.js";
import type { CliIo } from "../io.js";

/** How often a log hears how far the sweep is. */
export const LOG_EVERY_MS = 5000;

/**
 * How far a sweep is, on stderr: on a terminal one line that is rewritten in place; elsewhere a line now and then, so that a long
 * sweep is not silent, and nothing where a program reads the result.
 */
export class SweepProgress {
  readonly #isTerminal: boolean;
  #done = 0;
  #total = 1;
  #revoke: () => void = () => undefined;

  constructor(
    private readonly io: CliIo,
    private readonly clock: Pick<EnginePort, "after">,
    isForProgram: boolean,
  ) {
    this.#isTerminal = io.isTty?.stderr === true;
    if (!this.#isTerminal && !isForProgram) this.#logLater();
  }

  show(done: number, total: number): void {
    this.#done = done;
    this.#total = total;
    if (this.#isTerminal) this.io.stderr(`\r\u001b[K${this.#percent()}`);
  }

  end(): void {
    this.#revoke();
    if (this.#isTerminal) this.io.stderr("\r\u001b[K");
  }

  #logLater(): void {
    this.#revoke = this.clock.after(LOG_EVERY_MS, () => {
      this.io.stderr(`Simulating, ${this.#percent()}\n`);
      this.#logLater();
    });
  }

  #percent(): string {
    return `${Math.floor((100 * this.#done) / this.#total)} %`;
  }
}
