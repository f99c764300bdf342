import { fail, type Outcome, succeed } from "../base/outcome.js";
import type { EnginePort } from "./childProcess.js";
import { protocolProblem } from "./profilerProblems.js";
import { type FinishedText, type ProfilerRun, startInProcess } from "./profilerSession.js";

/** GB/s are 10^9 bytes per second of large copies; `bothGBps` is the sum of the directions while both are under way. */
export interface LinkRates {
  readonly d2hGBps: number;
  readonly h2dGBps: number;
  readonly bothGBps: number;
}

/** What the link between host and device carries, as `offload-lens link --json` prints it. */
export interface LinkResult {
  readonly device: {
    readonly kind: "cuda" | "cpu" | "sim";
    readonly name: string;
    readonly driver: string | null;
    /** Memory node that the GPU hangs on, where the system names one. */
    readonly numaNode?: number;
  };
  /** Null where no memory could be pinned. */
  readonly pinned: LinkRates | null;
  /** Pinned copies of the sizes that offload copies have, each alone on an empty stream: what starting a copy takes counts. */
  readonly pinnedBySize?: readonly { readonly sizeBytes: number; readonly d2hGBps: number; readonly h2dGBps: number }[];
  /** Null where a simulated device does not know them. */
  readonly pageable: LinkRates | null;
  /** Whether the copied pattern came back whole; null on a simulated device, which moves no bytes. */
  readonly verified: boolean | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** A device profile for simulations, where a calibration was asked for; passed on as it is. */
  readonly profile?: unknown;
}

/** Measures the link of a device (`auto`, `cuda`, `cpu` or `sim:NAME`) in a process of its own. */
export function startLink(port: EnginePort, device: string, calibrate = false): ProfilerRun<FinishedText<LinkResult>> {
  return startInProcess(
    port,
    { kind: "link", device, ...(calibrate ? { calibrate: true } : {}) },
    readLink,
    () => undefined,
  );
}

function readLink(resultJson: string): Outcome<FinishedText<LinkResult>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(resultJson);
  } catch {
    return fail(protocolProblem("Its result is not JSON."));
  }
  if (!isLinkResult(parsed)) return fail(protocolProblem("Its result is no measurement of a link."));
  return succeed({ resultJson, result: parsed });
}

// The engine is part of the same package: the members that tell the result apart are enough.
function isLinkResult(value: unknown): value is LinkResult {
  if (typeof value !== "object" || value === null) return false;
  const { device, pageable, verified } = value as Partial<Record<keyof LinkResult, unknown>>;
  return typeof device === "object" && device !== null && typeof pageable === "object" && verified !== undefined;
}
