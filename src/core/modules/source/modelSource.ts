import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { catalogueConfig } from "../families/catalogue.js";
import { asWritten, type HideProblem, hiding } from "./asWritten.js";
import { type Environment, expandPath } from "./expandPath.js";
import { type CachedModel, findInHubCache, hubCacheOf, readCacheFolder, readModelId } from "./hubCache.js";
import type { TreeRequest } from "./loadTree.js";

/** How the text that names a model was understood. */
export interface ModelSource {
  readonly request: TreeRequest;
  /** For people: the path or id as it was written, and where it was found. */
  readonly shown: string;
  /** For every problem with the request: paths stand there as they were written, and the values of variables go. */
  readonly hide: HideProblem;
}

type FoundSource = Omit<ModelSource, "hide">;

/**
 * Turns what a user or a configuration writes for a model into a tree request: a directory, a config.json, or a hub id
 * (`Qwen/Qwen3-8B`), with `~` and shell variables expanded. A directory wins over an id; an id is looked up in the hub cache, then in
 * the catalogue. `resolve` makes a path absolute. Never uses a network.
 * Fails with `MODEL_PATH_VARIABLE_UNKNOWN`, `MODEL_NOT_IN_CACHE` or `MODEL_CACHE_INCOMPLETE`.
 */
export async function modelSourceOf(
  files: FileSource,
  written: string,
  environment: Environment,
  resolve: (path: string) => string,
): Promise<Outcome<ModelSource>> {
  const expanded = expandPath(written.trim(), environment);
  if (!expanded.ok) return expanded;
  const name = written.trim();
  const path = resolve(expanded.value);
  const found = await sourceOf(files, expanded.value, environment, path);
  const cache = hubCacheOf(environment, files.join);
  const hidden = [
    { text: path, shown: name },
    // The cache writes an id with two hyphens for the slash.
    ...(expanded.value === name ? [] : [expanded.value, expanded.value.replaceAll("/", "--")]).map((text) => ({
      text,
      shown: name,
    })),
    // Who wrote the cache's own path knows it.
    ...(cache === undefined || name.includes(cache.directory) ? [] : [{ text: cache.directory, shown: cache.written }]),
  ];
  const hide = asWritten(hidden);
  if (!found.ok) return fail(hide(found.problem));
  return succeed({ ...found.value, shown: hiding(hidden)(found.value.shown), hide });
}

async function sourceOf(
  files: FileSource,
  expanded: string,
  environment: Environment,
  path: string,
): Promise<Outcome<FoundSource>> {
  const info = await files.info(path);
  if (info.ok && info.value.kind === "file") return succeed({ request: { kind: "config-json", path }, shown: path });
  if (info.ok) {
    const place = readCacheFolder(path);
    const inside = place === undefined ? undefined : await findInHubCache(files, place.cache, place.model);
    if (inside !== undefined) return inside.ok ? cachedSource(files, inside.value, place?.model.id ?? "") : inside;
  }
  const id = info.ok ? undefined : readModelId(expanded);
  if (id === undefined) return succeed({ request: await directoryRequest(files, path), shown: path });
  const cache = hubCacheOf(environment, files.join);
  const found = cache === undefined ? undefined : await findInHubCache(files, cache.directory, id);
  if (found?.ok === true) return cachedSource(files, found.value, id.id);
  const config = catalogueConfig(id.id);
  if (config !== undefined) {
    return succeed({ request: { kind: "catalogue", id: id.id, config }, shown: `${id.id} from the catalogue` });
  }
  return found === undefined ? fail(noCache(id.id)) : found;
}

async function cachedSource(
  files: FileSource,
  { directory, commit }: CachedModel,
  id: string,
): Promise<Outcome<FoundSource>> {
  const request = await directoryRequest(files, directory);
  return succeed({ request, shown: `${id} at ${commit.slice(0, 8)} in the Hugging Face cache` });
}

/** verl saves `global_step_N/actor` with the configuration in a folder of its own. */
const nestedConfig = "huggingface";

/** A directory with a config.json but no weights that can be read (none, pickled ones, an adapter) is read by its configuration alone. */
async function directoryRequest(files: FileSource, directory: string): Promise<TreeRequest> {
  const entries = await files.list(directory);
  const names = entries.ok ? entries.value : [];
  const hasWeights = names.some((name) => /^(?!adapter_).*\.safetensors(\.index\.json)?$/.test(name));
  if (names.includes("config.json") && !hasWeights) {
    return { kind: "config-json", path: files.join(directory, "config.json") };
  }
  if (!names.includes("config.json") && !hasWeights && names.includes(nestedConfig)) {
    const nested = files.join(directory, nestedConfig);
    const inside = await files.list(nested);
    if (inside.ok && inside.value.includes("config.json")) return directoryRequest(files, nested);
  }
  return { kind: "checkpoint", directory };
}

function noCache(id: string) {
  return {
    code: "MODEL_NOT_IN_CACHE",
    message: `The model ${id} is not on this machine: there is no Hugging Face cache.`,
    nextStep: "Set HF_HOME, or give the directory of the model. Nothing is downloaded here.",
  };
}
