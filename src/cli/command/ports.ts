import { fileURLToPath } from "node:url";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { programPort } from "../../node/programPort.js";

/* The programs that lie beside the bundled CLI. */

export const nodeProfilerPort: EnginePort = programPort(beside("profiler.cjs"));
export const nodeSimulatorPort: EnginePort = programPort(beside("simulator.cjs"));

function beside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
