import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { adaptChild, type EnginePort } from "../core/profile/childProcess.js";

/** Where a program's stderr and its end are noted; without a log, stderr goes to ours. */
export interface ProgramLog {
  info(text: string): void;
  warn(text: string): void;
}

/** Starts one of the bundled programs with the runtime that runs this; throws where it is missing. `path` is absolute. */
export function programPort(path: string, log?: ProgramLog): EnginePort {
  return {
    start() {
      if (!existsSync(path)) throw new Error(`${path} is missing`);
      const stderr = log === undefined ? "inherit" : "pipe";
      // In the desktop application the runtime is Electron: fork makes it behave as Node by ELECTRON_RUN_AS_NODE.
      const child = fork(path, [], { stdio: ["ignore", "ignore", stderr, "ipc"], execArgv: [] });
      if (log !== undefined) noteIn(log, child, basename(path, ".cjs"));
      return adaptChild(child);
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
