import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { adaptChild } from "../../core/profile/childProcess.js";
import type { SimulatorPort } from "../../core/profile/simulator.js";
import type { ToSimulator } from "../../core/profile/simulatorProtocol.js";

/** Starts the simulator process that lies beside the bundled CLI; what it says to stderr goes to ours. */
export const nodeSimulatorPort: SimulatorPort = {
  start() {
    const program = fileURLToPath(new URL("simulator.cjs", import.meta.url));
    if (!existsSync(program)) throw new Error(`${program} is missing`);
    return adaptChild<ToSimulator>(fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [] }));
  },
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
