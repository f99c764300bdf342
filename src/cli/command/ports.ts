import { fileURLToPath } from "node:url";
import type { ProfilerPort } from "../../core/profile/profilerSession.js";
import type { SimulatorPort } from "../../core/profile/simulator.js";
import { programPort } from "../../node/programPort.js";

/* The programs that lie beside the bundled CLI. */

export const nodeProfilerPort: ProfilerPort = programPort(beside("profiler.cjs"));
export const nodeSimulatorPort: SimulatorPort = programPort(beside("simulator.cjs"));

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
