import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { expandPath } from "../../core/modules/source/expandPath.js";
import { loadTree, maxTreeFileBytes } from "../../core/modules/source/loadTree.js";
import { type ModelSource, modelSourceOf } from "../../core/modules/source/modelSource.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { dumpTree } from "../../node/pythonDump.js";
import { type CliIo, say } from "../io.js";
import { dumpScript } from "./dumpScript.js";
import type { MatchRequest } from "./matchArguments.js";

/** A model path that stands in a configuration file. */
export interface ConfiguredModel {
  readonly path: string;
  /** The file that it stands in, absolute. */
  readonly config: string;
}

/** The tree that the arguments name, else the one of the configuration. Fails with `MODEL_PATH_UNKNOWN` if neither names one. */
export async function matchTree(
  request: MatchRequest,
  configured: ConfiguredModel | undefined,
  io: CliIo,
): Promise<Outcome<ModuleTree>> {
  if (request.tree !== undefined) {
    return loadTree(nodeFiles, { kind: "tree-file", path: resolve(io.cwd, request.tree), gunzip: gunzipBounded });
  }
  if (request.configJson !== undefined) {
    const path = resolve(io.cwd, request.configJson);
    return request.python === undefined
      ? loadTree(nodeFiles, { kind: "config-json", path })
      : dumpOf(path, request.python, request, io);
  }
  const written = request.model ?? configured?.path;
  if (written === undefined) return fail(noModel(request.config ?? "The command line"));
  const base = request.model === undefined ? await directoryFor(written, configured, io) : io.cwd;
  const source = await modelSourceOf(nodeFiles, written, io.env, (path) => resolve(base, path));
  if (!source.ok) return source;
  const loaded = await treeOf(source.value, written, request, io);
  return loaded.ok ? loaded : fail(source.value.hide(loaded.problem));
}

async function treeOf(
  { request: tree }: ModelSource,
  written: string,
  request: MatchRequest,
  io: CliIo,
): Promise<Outcome<ModuleTree>> {
  if (request.python === undefined) return loadTree(nodeFiles, tree);
  if (tree.kind === "checkpoint") return dumpOf(join(tree.directory, "config.json"), request.python, request, io);
  if (tree.kind === "config-json") return dumpOf(tree.path, request.python, request, io);
  return fail(noConfigFile(written));
}

/** The training process resolves the path against its own directory; the config's directory is the second guess. */
async function directoryFor(written: string, configured: ConfiguredModel | undefined, io: CliIo): Promise<string> {
  const beside = configured === undefined ? io.cwd : dirname(configured.config);
  const expanded = expandPath(written, io.env);
  if (!expanded.ok) return io.cwd;
  const first = await nodeFiles.info(resolve(io.cwd, expanded.value));
  const second = await nodeFiles.info(resolve(beside, expanded.value));
  return first.ok || !second.ok ? io.cwd : beside;
}

async function dumpOf(config: string, python: string, request: MatchRequest, io: CliIo): Promise<Outcome<ModuleTree>> {
  const given = await nodeFiles.info(config);
  const path = given.ok && given.value.kind === "directory" ? join(config, "config.json") : config;
  const info = await nodeFiles.info(path);
  if (!info.ok) return info;
  const abort = new AbortController();
  const remove = io.onInterrupt?.(() => abort.abort());
  const cacheRoot = io.env.XDG_CACHE_HOME || (io.env.HOME ? join(io.env.HOME, ".cache") : undefined);
  try {
    return await dumpTree({
      script: dumpScript(),
      python: /[\\/]/.test(python) ? resolve(io.cwd, python) : python,
      config: path,
      timeLimitSeconds: request.timeLimitSeconds,
      env: io.env,
      signal: abort.signal,
      onProgress: (text) => say(io, text),
      ...(cacheRoot === undefined ? {} : { cacheDirectory: join(cacheRoot, "offload-lens", "module-dumps") }),
    });
  } finally {
    remove?.();
  }
}

function gunzipBounded(bytes: Uint8Array): Outcome<Uint8Array> {
  try {
    return succeed(gunzipSync(bytes, { maxOutputLength: maxTreeFileBytes }));
  } catch {
    const message = "The module tree cannot be unpacked: it is damaged or larger than 256 MiB.";
    return fail({ code: "TREE_FILE_NOT_GZIP", message, nextStep: "Write it again with the dump script." });
  }
}

function noModel(where: string) {
  return {
    code: "MODEL_PATH_UNKNOWN",
    message: `${where} does not say where the model is.`,
    nextStep: "Give --model DIR, --config-json FILE or --tree FILE.",
  };
}

function noConfigFile(written: string) {
  return {
    code: "MODEL_CONFIG_MISSING",
    message: `There is no config.json of ${written} on this machine.`,
    nextStep: "Give the directory of the model, or leave --python out.",
  };
}
