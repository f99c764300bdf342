import type { Problem } from "../base/outcome.js";
import { isProblem, type LoadAttempt } from "./processProtocol.js";
import type { ProfileRequest } from "./request.js";

/*
 * What a shell and the simulator process say to each other, one message per IPC packet. The process stays: it answers each
 * `simulate` with exactly one `simulated` or `refused` of the same id, one request at a time, in order. It takes simulated
 * devices only. `loadFailed` means that no request can ever be answered; the process then ends.
 */

/** From the shell to the simulator process. */
export interface ToSimulator {
  readonly kind: "simulate";
  readonly id: number;
  readonly request: ProfileRequest;
}

/** From the simulator process to the shell. `resultJson` is the engine's own text, a `ProfileResult`. */
export type FromSimulator =
  | { readonly kind: "simulated"; readonly id: number; readonly resultJson: string }
  | { readonly kind: "refused"; readonly id: number; readonly problem: Problem }
  | { readonly kind: "loadFailed"; readonly platform: string; readonly attempts: readonly LoadAttempt[] };

/** Reads a packet from the shell; `undefined` for anything that is not part of the protocol. */
export function readToSimulator(message: unknown): ToSimulator | undefined {
  if (!isRecord(message) || message.kind !== "simulate" || !isId(message.id) || !isRecord(message.request)) {
    return undefined;
  }
  const { configJson, device } = message.request;
  if (typeof configJson !== "string" || typeof device !== "string" || !device.startsWith("sim:")) return undefined;
  return { kind: "simulate", id: message.id, request: message.request as unknown as ProfileRequest };
}

/** Reads a packet from the process; `undefined` for anything that is not part of the protocol. */
export function readFromSimulator(message: unknown): FromSimulator | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, id, resultJson, problem, platform, attempts } = message;
  if (kind === "simulated" && isId(id) && typeof resultJson === "string") return { kind, id, resultJson };
  if (kind === "refused" && isId(id) && isProblem(problem)) return { kind, id, problem };
  if (kind !== "loadFailed" || typeof platform !== "string" || !Array.isArray(attempts)) return undefined;
  return attempts.every(isAttempt) ? { kind, platform, attempts } : undefined;
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isAttempt(value: unknown): value is LoadAttempt {
  return isRecord(value) && typeof value.path === "string" && typeof value.reason === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
