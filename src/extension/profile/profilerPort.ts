import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { adaptChild } from "../../core/profile/childProcess.js";
import type { ProfilerPort } from "../../core/profile/profilerSession.js";

/** Starts `dist/profiler.cjs` with the extension host's own runtime; what it says to stderr goes to the log. */
export function profilerPort(extensionUri: vscode.Uri, log: vscode.LogOutputChannel): ProfilerPort {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "profiler.cjs").fsPath;
  return {
    start() {
      if (!existsSync(program)) throw new Error(`${program} is missing`);
      // In the desktop application the runtime is Electron: fork makes it behave as Node by ELECTRON_RUN_AS_NODE.
      const child = fork(program, [], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => log.warn(text.trimEnd()));
      child.on("exit", (code, signal) => log.info(`profiler process ${child.pid} ended: ${signal ?? `code ${code}`}`));
      log.info(`profiler process ${child.pid} started`);
      return adaptChild(child);
    },
    after(delayMs, action) {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
  };
}
