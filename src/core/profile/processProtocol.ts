import { z } from "zod";
import type { Outcome, Problem } from "../base/outcome.js";
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

/** The line between a shell and such a process. An answer is the engine's own text, byte for byte. */
export interface EngineLine extends Line {
  readonly request: EngineRequest;
  /** A `ProfileResult`, or a `LinkResult`, as JSON. */
  readonly answers: { readonly run: string; readonly link: string };
  readonly progress: ProfileProgress;
  readonly told: never;
  readonly announced: LoadFailure;
}

export const problemSchema: Check<Problem> & z.ZodType<Problem> = z.object({
  code: z.string(),
  message: z.string(),
  cause: z.exactOptional(z.string()),
  nextStep: z.string(),
});

export const progressSchema: Check<ProfileProgress> & z.ZodType<ProfileProgress> = z.object({
  phase: z.enum(["prepare", "run", "save"]),
  /** 0 … 1 */
  fraction: z.number().min(0).max(1),
  message: z.string(),
});

const answer: z.ZodType<Outcome<string>> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.string() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);

const loadFailure: z.ZodType<LoadFailure> = z.object({
  platform: z.string(),
  attempts: z.array(z.object({ path: z.string(), reason: z.string() })),
});

/** What a shell takes from a process. */
export const fromEngine = { answer, progress: progressSchema, announced: loadFailure } as const;

// The engine validates every other member again; here only the one without which there is nothing to validate.
const profileRequest = z.custom<ProfileRequest>(
  (value) => typeof (value as Partial<ProfileRequest> | null | undefined)?.configJson === "string",
);

/** What the profiler process takes from a shell. */
export const profilerRequest: z.ZodType<EngineRequest> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run"), request: profileRequest }),
  z.object({ kind: z.literal("link"), device: z.string(), calibrate: z.exactOptional(z.literal(true)) }),
]);

/** What the simulator process takes from a shell. */
export const simulatorRequest: z.ZodType<EngineRequest> = z.object({
  kind: z.literal("run"),
  request: profileRequest.refine(({ device }) => typeof device === "string" && device.startsWith("sim:")),
});
