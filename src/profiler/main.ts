import { createRequire } from "node:module";
import { join } from "node:path";
import { type FromProfiler, isProgress, readToProfiler, type ToProfiler } from "../core/profile/processProtocol.js";
import { type Engine, type EngineRun, loadEngine, readAnswer, requestText } from "./engine.js";

/*
 * The profiler process: loads the native engine, runs one request, ends. It is forked with an IPC channel and speaks
 * src/core/profile/processProtocol.ts. A fault in native code ends this process and nothing else.
 */

/** How long a run may go on after its parent went away; the engine obeys cancel within 200 ms. */
const ORPHAN_GRACE_MS = 1000;

let running: EngineRun | undefined;
let ending = false;

function receive(message: ToProfiler): void {
  if (message.kind === "cancel") {
    running?.cancel();
    return;
  }
  const loaded = loadEngine(createRequire(__filename), [
    join(__dirname, "native", "offload_lens.node"),
    join(__dirname, "..", "build", "native", "offload_lens.node"),
  ]);
  if (loaded.engine === undefined) {
    sendLast({ kind: "loadFailed", platform: `${process.platform}-${process.arch}`, attempts: loaded.attempts });
    return;
  }
  if (running === undefined) void run(loaded.engine, message);
}

async function run(engine: Engine, work: Exclude<ToProfiler, { kind: "cancel" }>): Promise<void> {
  running =
    work.kind === "link"
      ? engine.link(work.device, forwardProgress, work.calibrate === true)
      : engine.profile(requestText(work.request), forwardProgress);
  sendLast(readAnswer(await running.promise));
}

function forwardProgress(json: string): void {
  const progress: unknown = JSON.parse(json);
  if (isProgress(progress)) send({ kind: "progress", progress });
}

function send(message: FromProfiler): void {
  if (process.connected) process.send?.(message);
}

function sendLast(message: FromProfiler): void {
  ending = true;
  if (!process.connected || process.send === undefined) process.exit(0);
  process.send(message, () => process.exit(0));
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
  process.on("message", (message) => {
    const read = readToProfiler(message);
    if (read !== undefined) receive(read);
  });
}

main();
