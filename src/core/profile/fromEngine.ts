import { z } from "zod";
import type { Outcome, Problem } from "../base/outcome.js";
import type { EngineText, LoadFailure } from "./processProtocol.js";
import type { ProfileProgress } from "./request.js";

/*
 * What a shell takes from a process that holds the engine, checked member by member: whatever happens in native code may have
 * written it. A result is large, and read where it is needed: here it is a text.
 */

const problem: z.ZodType<Problem> = z.object({
  code: z.string(),
  message: z.string(),
  cause: z.exactOptional(z.string()),
  nextStep: z.string(),
});

const answer: z.ZodType<Outcome<EngineText>> = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.object({ resultJson: z.string(), saveProblem: z.exactOptional(problem) }) }),
  z.object({ ok: z.literal(false), problem }),
]);

const progress: z.ZodType<ProfileProgress> = z.object({
  phase: z.enum(["prepare", "run", "save"]),
  fraction: z.number().min(0).max(1),
  message: z.string(),
});

const announced: z.ZodType<LoadFailure> = z.object({
  platform: z.string(),
  attempts: z.array(z.object({ path: z.string(), reason: z.string() })),
});

/** The checks of the shell's end of an `EngineLine`. */
export const fromEngine = { answer, progress, announced } as const;
