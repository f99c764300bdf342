import { createRequire } from "node:module";
import { join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import type { EngineText, LoadAttempt } from "../core/profile/processProtocol.js";
import { protocolProblem } from "../core/profile/profilerProblems.js";
import type { ProfileRequest } from "../core/profile/request.js";

/** One run inside the engine's own thread. */
export interface EngineRun {
  /** Result JSON, `{"problem": {...}}`, or `{"problem": {...}, "resultJson": "..."}` for a result that was not saved; rejects only on a bug. */
  readonly promise: Promise<string>;
  cancel(): void;
}

/** What the native addon exports (native/addon). */
export interface Engine {
  profile(requestJson: string, onProgress: (progressJson: string) => void): EngineRun;
  /** Measures the link of a device, by its name; progress is never told. */
  link(deviceName: string, onProgress: (progressJson: string) => void, calibrate?: boolean): EngineRun;
  version(): string;
}

/** The request for the engine. Halves of surrogate pairs, which YAML can write and UTF-8 cannot, become replacement characters. */
export function requestText(request: ProfileRequest): string {
  return JSON.stringify(request, (_key, value: unknown) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\uFFFD") : value,
  );
}

/**
 * The engine answers with a result, with `{"problem": {...}}`, or with both where the result could not be saved. A result is large
 * and the shell parses it anyway; a problem is short. The shell checks both.
 */
export function readAnswer(json: string): Outcome<EngineText> {
  if (!/^\s*\{\s*"problem"\s*:/.test(json)) return succeed({ resultJson: json });
  const { problem, resultJson } = JSON.parse(json) as {
    readonly problem: Problem | null;
    readonly resultJson?: string;
  };
  if (problem === null) return fail(protocolProblem("The engine failed without saying why."));
  return resultJson === undefined ? fail(problem) : succeed({ resultJson, saveProblem: problem });
}

/** Loads the engine of this installation, or the one that was built in the repository. */
export function loadOwnEngine(): ReturnType<typeof loadEngine> {
  return loadEngine(createRequire(__filename), [
    join(__dirname, "native", "offload_lens.node"),
    join(__dirname, "..", "build", "native", "offload_lens.node"),
  ]);
}

/** Tries `paths` in order; `attempts` are those that failed before the engine was found, or all. */
export function loadEngine(
  load: (path: string) => unknown,
  paths: readonly string[],
): { readonly engine: Engine | undefined; readonly attempts: readonly LoadAttempt[] } {
  const attempts: LoadAttempt[] = [];
  for (const path of paths) {
    try {
      const loaded = load(path);
      if (isEngine(loaded)) return { engine: loaded, attempts };
      attempts.push({ path, reason: "it is not the engine: `profile` and `version` are missing" });
    } catch (error) {
      attempts.push({ path, reason: firstLine(error) });
    }
  }
  return { engine: undefined, attempts };
}

function isEngine(value: unknown): value is Engine {
  if (typeof value !== "object" || value === null) return false;
  const engine = value as Partial<Record<keyof Engine, unknown>>;
  return [engine.profile, engine.version].every((member) => typeof member === "function");
}

function firstLine(error: unknown): string {
  // Node's own words repeat the path and list who asked for it.
  if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return "no such file";
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0] ?? text;
}
