import type { Outcome } from "../core/base/outcome.js";
import { AnsweringEnd, type Call } from "../core/channel.js";
import {
  type EngineLine,
  type EngineRequest,
  type EngineText,
  profilerRequest,
} from "../core/profile/processProtocol.js";
import type { ProfileProgress } from "../core/profile/request.js";
import { type EngineRun, loadOwnEngine, readAnswer, requestText } from "./engine.js";
import { parentPort } from "./parentPort.js";

/*
 * The profiler process: loads the native engine, runs one request, ends. It is forked with an IPC channel and speaks
 * src/core/profile/processProtocol.ts. A fault in native code ends this process and nothing else.
 */

/** How long a run may go on after its parent went away; the engine obeys cancel within 200 ms. */
const ORPHAN_GRACE_MS = 1000;

let running: EngineRun | undefined;
/** What is posted next is the last word: the process ends when it is on its way. */
let ending = false;

const line = new AnsweringEnd<EngineLine>(
  parentPort(() => {
    if (ending) process.exit(0);
  }),
  {
    answer: serve,
    checks: { request: profilerRequest },
    pack(value) {
      ending = true;
      return { value, transfer: [] };
    },
  },
);

async function serve(work: EngineRequest, { report, onCancel }: Call<EngineLine>): Promise<Outcome<EngineText>> {
  // One request is all that a process serves.
  if (running !== undefined) return never();
  const { engine, attempts } = loadOwnEngine();
  if (engine === undefined) {
    ending = true;
    line.announce({ platform: `${process.platform}-${process.arch}`, attempts });
    return never();
  }
  const forward = (json: string) => {
    const progress = JSON.parse(json) as ProfileProgress;
    // Progress out of its range is not worth the run.
    if (progress.fraction >= 0 && progress.fraction <= 1) report(progress);
  };
  running =
    work.kind === "link"
      ? engine.link(work.device, forward, work.calibrate === true)
      : engine.profile(requestText(work.request), forward);
  onCancel(() => running?.cancel());
  return readAnswer(await running.promise);
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function leaveWithParent(): void {
  if (ending) return;
  running?.cancel();
  setTimeout(() => process.kill(process.pid, "SIGKILL"), ORPHAN_GRACE_MS).unref();
  if (running === undefined) process.exit(0);
}

function crash(error: unknown): never {
  // One line for the log; a stack trace helps nobody who reads it there.
  process.stderr.write(`offload-lens profiler: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(70);
}

function main(): void {
  if (process.send === undefined) {
    process.stderr.write("This program is started by Offload Lens. To profile by hand, use `offload-lens profile`.\n");
    process.exit(2);
  }
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  // Ctrl-C reaches the whole group of a terminal: the parent hears it too and sends `cancel`.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", leaveWithParent);
}

main();
