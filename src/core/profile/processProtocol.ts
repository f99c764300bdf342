import type { Problem } from "../base/outcome.js";
import type { Check, Line } from "../channel.js";
import type { ProfileProgress, ProfileRequest } from "./request.js";

/*
 * What a shell and the processes that hold the native engine say to each other: the profiler, which serves one request and ends,
 * and the simulator, which stays and serves one request after the other, for simulated devices only. A process can be replaced or
 * broken by whatever happens in native code, so each message is checked on both sides. The engine's own result is passed on as
 * the text that it is and read where it is needed.
 */

/** What the engine is asked to do. */
export type EngineRequest =
  | { readonly kind: "run"; readonly request: ProfileRequest }
  /** Measure the link of a device, by its name; with `calibrate` the device itself, too. */
  | { readonly kind: "link"; readonly device: string; readonly calibrate?: true };

/** One attempt to load the native engine. */
export interface LoadAttempt {
  readonly path: string;
  /** One line, as the loader said it. */
  readonly reason: string;
}

/** The engine cannot be loaded: no request will ever be answered, and the process ends. */
export interface LoadFailure {
  readonly platform: string;
  readonly attempts: readonly LoadAttempt[];
}

/** What the engine came to. */
export interface EngineText {
  /** Its own text, byte for byte: a `ProfileResult`, or a `LinkResult` after `link`, as JSON. */
  readonly resultJson: string;
  /** The result could not be saved as the request wanted. */
  readonly saveProblem?: Problem;
}

/** The line between a shell and such a process. */
export interface EngineLine extends Line {
  readonly request: EngineRequest;
  readonly answers: { readonly run: EngineText; readonly link: EngineText };
  readonly progress: ProfileProgress;
  readonly told: never;
  readonly announced: LoadFailure;
}

/** What the profiler process takes from a shell. By hand: the schemas of zod would make a small program a large one. */
export const profilerRequest: Check<EngineRequest> = {
  safeParse(value) {
    const { kind, request, device, calibrate } = membersOf(value);
    // The engine validates every other member again; here only the one without which there is nothing to validate.
    if (kind === "run" && typeof membersOf(request).configJson === "string")
      return { success: true, data: { kind, request: request as ProfileRequest } };
    if (kind !== "link" || typeof device !== "string") return { success: false };
    return { success: true, data: { kind, device, ...(calibrate === true ? { calibrate } : {}) } };
  },
};

/** What the simulator process takes from a shell. */
export const simulatorRequest: Check<EngineRequest> = {
  safeParse(value) {
    const { device } = membersOf(membersOf(value).request);
    const read = profilerRequest.safeParse(value);
    const isSimulated = typeof device === "string" && device.startsWith("sim:");
    return isSimulated && read.success && read.data.kind === "run" ? read : { success: false };
  },
};

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
