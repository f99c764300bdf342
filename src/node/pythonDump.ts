import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { asWritten, hiding, secretsOf } from "../core/modules/source/asWritten.js";
import { maxTreeFileBytes } from "../core/modules/source/loadTree.js";
import { dumpCacheKey, readPythonDump } from "../core/modules/source/pythonDump.js";
import type { ModuleTree } from "../core/modules/tree.js";
import { attempt, readRange } from "./nodeFiles.js";
import { placeFile } from "./placeFile.js";
import { runScript } from "./pythonScript.js";

/** One run of the dump script. */
export interface DumpRequest {
  /** `media/python/dump_modules.py`, absolute; each program knows where its own copy lies. */
  readonly script: string;
  /** The interpreter: a path, or a name found through PATH. */
  readonly python: string;
  /** config.json, absolute. */
  readonly config: string;
  /** For all of it, the question for the versions included. */
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

/** No config.json that is read anywhere is larger. */
const maxConfigBytes = 16 * 1024 * 1024;
const versionsTimeSeconds = 30;
const maxVersionsBytes = 1024 * 1024;

/**
 * Builds the module tree in the user's interpreter, or takes it from the cache if config.json, libraries and script are the same.
 * Fails with `PYTHON_MISSING`, `TRANSFORMERS_MISSING`, `DUMP_TIMED_OUT`, `DUMP_CANCELLED`, `DUMP_TOO_LARGE` or
 * `DUMP_FAILED`.
 */
export async function dumpTree(request: DumpRequest): Promise<Outcome<ModuleTree>> {
  // What the interpreter prints is not ours: a traceback may hold the token that a download was tried with.
  const secrets = secretsOf(request.env);
  const { onProgress } = request;
  const show = hiding(secrets);
  const quiet = onProgress === undefined ? {} : { onProgress: (text: string) => onProgress(show(text)) };
  const tree = await dumpOrKept({ ...request, ...quiet });
  return tree.ok ? tree : fail(asWritten(secrets)(tree.problem));
}

async function dumpOrKept(request: DumpRequest): Promise<Outcome<ModuleTree>> {
  const startedMs = performance.now();
  const cached = request.cacheDirectory === undefined ? undefined : await cacheFile(request);
  if (cached !== undefined && !cached.ok) return cached;
  if (cached !== undefined && existsSync(cached.value)) {
    const kept = readPythonDump(readFileSync(cached.value));
    if (kept.ok) {
      request.onKept?.(cached.value);
      return kept;
    }
  }
  const spentSeconds = Math.floor((performance.now() - startedMs) / 1000);
  const limitSeconds = Math.max(1, request.timeLimitSeconds - spentSeconds);
  const args = ["--config", request.config, "--time-limit", String(limitSeconds)];
  const output = await runScript(request, args, { limitSeconds, maxOutputBytes: maxTreeFileBytes });
  if (!output.ok) return output;
  const tree = readPythonDump(output.value);
  if (tree.ok && cached !== undefined && (await keep(cached.value, output.value))) request.onKept?.(cached.value);
  return tree;
}

async function cacheFile(request: DumpRequest): Promise<Outcome<string>> {
  const versions = await runScript(request, ["--versions"], {
    limitSeconds: Math.min(versionsTimeSeconds, request.timeLimitSeconds),
    maxOutputBytes: maxVersionsBytes,
  });
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
async function keep(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await placeFile(path, (draft) => writeFile(draft, bytes));
    return true;
  } catch {
    return false;
  }
}
