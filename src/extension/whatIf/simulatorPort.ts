import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { adaptChild } from "../../core/profile/childProcess.js";
import type { SimulatorPort } from "../../core/profile/simulator.js";
import type { ToSimulator } from "../../core/profile/simulatorProtocol.js";

/** Starts `dist/simulator.cjs` with the extension host's own runtime; what it says to stderr goes to the log. */
export function simulatorPort(extensionUri: vscode.Uri, log: vscode.LogOutputChannel): SimulatorPort {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "simulator.cjs").fsPath;
  return {
    start() {
      if (!existsSync(program)) throw new Error(`${program} is missing`);
      const child = fork(program, [], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => log.warn(text.trimEnd()));
      child.on("exit", (code, signal) => log.info(`simulator process ${child.pid} ended: ${signal ?? `code ${code}`}`));
      return adaptChild<ToSimulator>(child);
    },
    after(delayMs, action) {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
  };
}
