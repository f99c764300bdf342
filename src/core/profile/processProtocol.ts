import type { Problem } from "../base/outcome.js";
import type { ProfileProgress, ProfileRequest } from "./request.js";

/*
 * What a shell and the profiler process say to each other, one message per IPC packet. A profiler process serves exactly one
 * request: `run` or `link` once, then any number of `cancel`; it answers with any number of `progress` and then exactly one of
 * `finished`, `failed` and `loadFailed`, and ends.
 */

/** From the shell to the profiler process. */
export type ToProfiler =
  | { readonly kind: "run"; readonly request: ProfileRequest }
  /** Measure the link of a device, by its name; with `calibrate` the device itself, too. */
  | { readonly kind: "link"; readonly device: string; readonly calibrate?: true }
  | { readonly kind: "cancel" };

/** One attempt to load the native engine. */
export interface LoadAttempt {
  readonly path: string;
  /** One line, as the loader said it. */
  readonly reason: string;
}

/** From the profiler process to the shell. */
export type FromProfiler =
  | { readonly kind: "progress"; readonly progress: ProfileProgress }
  /**
   * `resultJson` is the engine's own text, passed on byte for byte: a `ProfileResult`, or a `LinkResult` after `link`. `saveProblem`:
   * it could not be saved as the request wanted.
   */
  | { readonly kind: "finished"; readonly resultJson: string; readonly saveProblem?: Problem }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "loadFailed"; readonly platform: string; readonly attempts: readonly LoadAttempt[] };

/** Reads a packet from the other process; `undefined` for anything that is not part of the protocol. */
export function readFromProfiler(message: unknown): FromProfiler | undefined {
  if (!isRecord(message)) return undefined;
  switch (message.kind) {
    case "progress":
      return isProgress(message.progress) ? { kind: "progress", progress: message.progress } : undefined;
    case "finished":
      return readFinished(message);
    case "failed":
      return isProblem(message.problem) ? { kind: "failed", problem: message.problem } : undefined;
    case "loadFailed": {
      const { platform, attempts } = message;
      if (typeof platform !== "string" || !Array.isArray(attempts) || !attempts.every(isLoadAttempt)) return undefined;
      return { kind: "loadFailed", platform, attempts };
    }
    default:
      return undefined;
  }
}

function readFinished({ resultJson, saveProblem }: Readonly<Record<string, unknown>>): FromProfiler | undefined {
  if (typeof resultJson !== "string") return undefined;
  if (saveProblem === undefined) return { kind: "finished", resultJson };
  return isProblem(saveProblem) ? { kind: "finished", resultJson, saveProblem } : undefined;
}

/** Reads a packet from the shell; `undefined` for anything that is not part of the protocol. */
export function readToProfiler(message: unknown): ToProfiler | undefined {
  if (!isRecord(message)) return undefined;
  if (message.kind === "cancel") return { kind: "cancel" };
  if (message.kind === "link") {
    if (typeof message.device !== "string") return undefined;
    return { kind: "link", device: message.device, ...(message.calibrate === true ? { calibrate: true } : {}) };
  }
  const request = message.request;
  if (message.kind !== "run" || !isRequest(request)) return undefined;
  return { kind: "run", request };
}

/** Whether `value` has the members of a Problem. */
export function isProblem(value: unknown): value is Problem {
  if (!isRecord(value)) return false;
  const { code, message, cause, nextStep } = value;
  const texts = typeof code === "string" && typeof message === "string" && typeof nextStep === "string";
  return texts && (cause === undefined || typeof cause === "string");
}

/** Whether `value` has the members of a ProfileProgress, with a fraction between 0 and 1. */
export function isProgress(value: unknown): value is ProfileProgress {
  if (!isRecord(value)) return false;
  const { phase, fraction, message } = value;
  if (phase !== "prepare" && phase !== "run" && phase !== "save") return false;
  return typeof fraction === "number" && fraction >= 0 && fraction <= 1 && typeof message === "string";
}

// The engine validates every other member again; here only the one without which there is nothing to validate.
function isRequest(value: unknown): value is ProfileRequest {
  return isRecord(value) && typeof value.configJson === "string";
}

function isLoadAttempt(value: unknown): value is LoadAttempt {
  return isRecord(value) && typeof value.path === "string" && typeof value.reason === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
