import type { Problem } from "../base/outcome.js";
import type { Line } from "../channel.js";
import type { Fits } from "./fits.js";
import type { SweepResult } from "./runSweep.js";

/*
 * Messages between the extension and the page of "What If…". The page gets the whole sweep; points are named by their index.
 */

/** The line between the page and the extension: nothing on it needs an answer. */
export interface SweepLine extends Line {
  readonly request: never;
  readonly answers: Record<never, never>;
  readonly progress: never;
  readonly told: SweepPageMessage;
  readonly announced: SweepHostMessage;
}

/** What the extension tells the page. */
export type SweepHostMessage =
  | { readonly type: "running"; readonly title: string; readonly done: number; readonly total: number }
  | {
      readonly type: "result";
      readonly title: string;
      readonly sweep: SweepResult;
      readonly writable: readonly boolean[];
      /** What is simulated, in words. */
      readonly step: string;
      /** Why no point can be written: the step rests on a figure that nobody knows. */
      readonly unsure: string | null;
    }
  | {
      /** What is asked beside the grid; behind the result, as it takes its time. */
      readonly type: "beside";
      /** Single keys that would lower the peak of the config's own step, best first, in words; the first line is their heading. */
      readonly levers: readonly string[];
      /** What of the job fits the budget; `null` where the whole step is not known. */
      readonly fits: Fits | null;
    }
  | { readonly type: "problem"; readonly problem: Problem }
  | { readonly type: "applied"; readonly point: number; readonly notes: readonly string[] };

/** What the page tells the extension. `budgetGib` is `null` for the memory of the device. */
export type SweepPageMessage =
  | { readonly type: "ready" }
  | { readonly type: "run"; readonly budgetGib: number | null }
  | { readonly type: "apply"; readonly point: number };

/** What a page may say; `undefined` for anything else. */
export function readSweepPageMessage(message: unknown): SweepPageMessage | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { type, budgetGib, point } = message as Readonly<Record<string, unknown>>;
  if (type === "ready") return { type };
  if (type === "apply" && typeof point === "number" && Number.isSafeInteger(point)) return { type, point };
  if (type !== "run") return undefined;
  const isBudget = typeof budgetGib === "number" && budgetGib > 0 && Number.isFinite(budgetGib);
  return { type, budgetGib: isBudget ? budgetGib : null };
}
