import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { adaptChild } from "../core/profile/childProcess.js";
import type { ProfilerProcess } from "../core/profile/profilerSession.js";

/** Where a program's stderr and its end are noted; without a log, stderr goes to ours. */
export interface ProgramLog {
  info(text: string): void;
  warn(text: string): void;
}

/** What core asks of a shell for a program that messages are sent to: how to start it, and a clock. */
export interface ProgramPort<Message extends Serializable> {
  /** Throws where the program is missing or cannot be started. */
  start(): ProfilerProcess<Message>;
  /** Calls `action` once after `delayMs`; the result revokes it. */
  after(delayMs: number, action: () => void): () => void;
}

/** Starts one of the bundled programs with the runtime that runs this. `path` is absolute. */
export function programPort<Message extends Serializable>(path: string, log?: ProgramLog): ProgramPort<Message> {
  return {
    start() {
      if (!existsSync(path)) throw new Error(`${path} is missing`);
      const stderr = log === undefined ? "inherit" : "pipe";
      // In the desktop application the runtime is Electron: fork makes it behave as Node by ELECTRON_RUN_AS_NODE.
      const child = fork(path, [], { stdio: ["ignore", "ignore", stderr, "ipc"], execArgv: [] });
      if (log !== undefined) noteIn(log, child, basename(path, ".cjs"));
      return adaptChild<Message>(child);
    },
    after(delayMs, action) {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

function noteIn(log: ProgramLog, child: ChildProcess, name: string): void {
  log.info(`${name} process ${child.pid} started`);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => log.warn(text.trimEnd()));
  child.on("exit", (code, signal) => log.info(`${name} process ${child.pid} ended: ${signal ?? `code ${code}`}`));
}
