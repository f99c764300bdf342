import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { type DumpEnd, dumpCacheKey, dumpProblem, readPythonDump } from "../core/modules/source/pythonDump.js";
import type { ModuleTree } from "../core/modules/tree.js";
import { attempt, readRange } from "./nodeFiles.js";

/** One run of the dump script. */
export interface DumpRequest {
  /** `media/python/dump_modules.py`, absolute; each program knows where its own copy lies. */
  readonly script: string;
  /** The interpreter: a path, or a name found through PATH. */
  readonly python: string;
  /** config.json, absolute. */
  readonly config: string;
  readonly timeLimitSeconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where earlier dumps are kept; absent means nowhere. */
  readonly cacheDirectory?: string;
  /** Called with the file in which the tree lies for later, if there is one. */
  readonly onKept?: (path: string) => void;
  readonly signal?: AbortSignal;
  /** Called with lines such as `importing torch and transformers`. */
  readonly onProgress?: (text: string) => void;
}

const maxOutputBytes = 256 * 1024 * 1024;
/** No config.json that is read anywhere is larger. */
const maxConfigBytes = 16 * 1024 * 1024;
const maxErrorLength = 64 * 1024;
const versionsTimeSeconds = 30;

/**
 * Builds the module tree in the user's interpreter, or takes it from the cache if config.json, libraries and script are the same.
 * Fails with `PYTHON_MISSING`, `TRANSFORMERS_MISSING`, `DUMP_TIMED_OUT`, `DUMP_CANCELLED` or `DUMP_FAILED`.
 */
export async function dumpTree(request: DumpRequest): Promise<Outcome<ModuleTree>> {
  const cached = request.cacheDirectory === undefined ? undefined : await cacheFile(request);
  if (cached !== undefined && !cached.ok) return cached;
  if (cached !== undefined && existsSync(cached.value)) {
    const kept = readPythonDump(readFileSync(cached.value));
    if (kept.ok) {
      request.onKept?.(cached.value);
      return kept;
    }
  }
  const limit = ["--time-limit", String(request.timeLimitSeconds)];
  const output = await runScript(request, ["--config", request.config, ...limit], request.timeLimitSeconds);
  if (!output.ok) return output;
  const tree = readPythonDump(output.value);
  if (tree.ok && cached !== undefined && keep(cached.value, output.value)) request.onKept?.(cached.value);
  return tree;
}

async function cacheFile(request: DumpRequest): Promise<Outcome<string>> {
  const versions = await runScript(request, ["--versions"], versionsTimeSeconds);
  if (!versions.ok) return versions;
  const config = await attempt(request.config, () => readRange(request.config, 0, maxConfigBytes));
  if (!config.ok) return config;
  const key = dumpCacheKey({
    configSha256: sha256(config.value),
    scriptSha256: sha256(readFileSync(request.script)),
    versions: versionsOf(versions.value),
    python: request.python,
  });
  return succeed(join(request.cacheDirectory ?? "", `${sha256(key)}.json`));
}

function versionsOf(output: Uint8Array): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(output));
    return Object.fromEntries(Object.entries(parsed ?? {}).map(([name, version]) => [name, String(version)]));
  } catch {
    return {};
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** False where the cache cannot be written, which is no failure: the next run builds the tree again. */
function keep(path: string, bytes: Uint8Array): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, bytes);
    renameSync(draft, path);
    return true;
  } catch {
    return false;
  }
}

function runScript(request: DumpRequest, args: readonly string[], limitSeconds: number): Promise<Outcome<Uint8Array>> {
  const { python, script, env, signal } = request;
  return new Promise((settle) => {
    const output: Uint8Array[] = [];
    let outputBytes = 0;
    let stderr = "";
    const state = { timedOut: false, cancelled: false, notStarted: false, tooLarge: false };
    // Its own process group, so that whatever the libraries started ends with it.
    const child = spawn(python, ["-u", script, ...args], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const stop = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    };
    const cancel = () => {
      state.cancelled = true;
      stop();
    };
    // The script has its own limit; this one holds for an interpreter that does not listen.
    const timer = setTimeout(
      () => {
        state.timedOut = true;
        stop();
      },
      limitSeconds * 1000 + 500,
    );
    if (signal?.aborted === true) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    child.stdout.on("data", (chunk: Uint8Array) => {
      outputBytes += chunk.length;
      if (outputBytes <= maxOutputBytes) output.push(chunk);
      else stop();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n"))
        if (line.startsWith("progress: ")) request.onProgress?.(line.slice(10).trim());
      stderr = (stderr + text).slice(-maxErrorLength);
    });
    child.on("error", () => {
      state.notStarted = true;
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      const end: DumpEnd = { python, exitCode, stderr, timeLimitSeconds: limitSeconds, ...state };
      const complete = exitCode === 0 && outputBytes <= maxOutputBytes && !state.timedOut && !state.cancelled;
      settle(complete ? succeed(Buffer.concat(output)) : fail(dumpProblem(end)));
    });
  });
}
