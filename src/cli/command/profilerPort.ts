import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { adaptChild } from "../../core/profile/childProcess.js";
import type { ProfilerPort } from "../../core/profile/profilerSession.js";

/** Starts the profiler process that lies beside the bundled CLI; what it says to stderr goes to ours. */
export const nodeProfilerPort: ProfilerPort = {
  start() {
    const program = fileURLToPath(new URL("profiler.cjs", import.meta.url));
    if (!existsSync(program)) throw new Error(`${program} is missing`);
    return adaptChild(fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] }));
  },
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
