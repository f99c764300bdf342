import type { FileSource } from "../../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { decodeUtf8 } from "../../base/utf8.js";
import type { Environment } from "./expandPath.js";

/** A model id on the Hugging Face hub, `organisation/name`, with an optional `@revision`. */
export interface ModelId {
  readonly id: string;
  readonly revision: string;
}

/** Where the cache holds a model. */
export interface CachedModel {
  readonly directory: string;
  readonly commit: string;
}

const maxReferenceBytes = 1024;

/** The id in a text that has the form of one; a path with more than one slash, or with a leading dot or slash, has not. */
export function readModelId(text: string): ModelId | undefined {
  const parts = /^([A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95})(?:@([\w][\w./-]{0,127}))?$/.exec(text);
  if (parts?.[1] === undefined || parts[1].includes("..") || parts[2]?.includes("..") === true) return undefined;
  return { id: parts[1], revision: parts[2] ?? "main" };
}

/** The cache and the model of a path that ends with a model's own folder in the cache, above its snapshots. */
export function readCacheFolder(path: string): { readonly cache: string; readonly model: ModelId } | undefined {
  const parts = /^(.*)[\\/]models--([\w.-]+?)--([\w.-]+)[\\/]?$/.exec(path);
  const model = parts === null ? undefined : readModelId(`${parts[2]}/${parts[3]}`);
  return model === undefined ? undefined : { cache: parts?.[1] ?? "", model };
}

/** The directory of the hub cache, and how it is written without the value of a variable. */
export interface HubCache {
  readonly directory: string;
  readonly written: string;
}

/**
 * The hub cache by the variables that the library reads: `HF_HUB_CACHE`, `HUGGINGFACE_HUB_CACHE`, `HF_HOME/hub`,
 * `XDG_CACHE_HOME/huggingface/hub`, `~/.cache/huggingface/hub`. `undefined` without any of them and without `HOME`.
 */
export function hubCacheOf(environment: Environment, join: FileSource["join"]): HubCache | undefined {
  const { HOME } = environment;
  const home = (path: string) => (HOME !== undefined && /^~(\/|$)/.test(path) ? HOME + path.slice(1) : path);
  const inside = (path: string, names: readonly string[]) => names.reduce((at, name) => join(at, name), path);
  for (const [variable, ...names] of [
    ["HF_HUB_CACHE"],
    ["HUGGINGFACE_HUB_CACHE"],
    ["HF_HOME", "hub"],
    ["XDG_CACHE_HOME", "huggingface", "hub"],
  ] as const) {
    const value = environment[variable];
    if (value) return { directory: inside(home(value), names), written: inside(`$${variable}`, names) };
  }
  const names = [".cache", "huggingface", "hub"];
  return HOME ? { directory: inside(HOME, names), written: inside("~", names) } : undefined;
}

/**
 * Finds a model in the cache: `models--organisation--name/refs/REVISION` names the commit, `snapshots/COMMIT` holds the files (links
 * into `blobs`). Nothing is downloaded. Fails with `MODEL_NOT_IN_CACHE`, `MODEL_CACHE_INCOMPLETE` or the failures of `FileSource`.
 */
export async function findInHubCache(files: FileSource, cache: string, model: ModelId): Promise<Outcome<CachedModel>> {
  const folder = files.join(cache, `models--${model.id.replaceAll("/", "--")}`);
  const info = await files.info(folder);
  if (!info.ok) return info.problem.code === "FILE_MISSING" ? fail(notCached(model, cache)) : info;
  const commit = await commitOf(files, folder, model);
  if (!commit.ok) return commit;
  const directory = files.join(files.join(folder, "snapshots"), commit.value);
  const entries = await files.list(directory);
  if (!entries.ok) {
    const missing = entries.problem.code === "FILE_MISSING";
    return missing ? fail(incomplete(model, folder, `There is no snapshot ${commit.value}.`)) : entries;
  }
  if (!entries.value.includes("config.json"))
    return fail(incomplete(model, folder, "The snapshot has no config.json."));
  const config = await files.info(files.join(directory, "config.json"));
  if (!config.ok) {
    const cause = `config.json leads nowhere (${config.problem.cause ?? config.problem.message})`;
    return fail(incomplete(model, folder, cause.endsWith(".") ? cause : `${cause}.`));
  }
  return succeed({ directory, commit: commit.value });
}

/** The commit that a reference names; without the reference, a revision that is a snapshot's own name, or the only snapshot. */
async function commitOf(files: FileSource, folder: string, model: ModelId): Promise<Outcome<string>> {
  const reference = model.revision
    .split("/")
    .reduce((path, name) => files.join(path, name), files.join(folder, "refs"));
  const bytes = await files.readBytes(reference, 0, maxReferenceBytes);
  if (bytes.ok) {
    const commit = decodeUtf8(bytes.value)?.trim() ?? "";
    return /^[0-9a-f]{7,64}$/.test(commit)
      ? succeed(commit)
      : fail(incomplete(model, folder, `The reference "${model.revision}" does not hold a commit.`));
  }
  if (bytes.problem.code !== "FILE_MISSING") return fail(incomplete(model, folder, describe(bytes.problem)));
  const snapshots = await files.list(files.join(folder, "snapshots"));
  const names = snapshots.ok ? snapshots.value.filter((name) => /^[0-9a-f]{7,64}$/.test(name)) : [];
  if (names.includes(model.revision)) return succeed(model.revision);
  const [only] = names;
  if (only !== undefined && names.length === 1 && model.revision === "main") return succeed(only);
  return fail(incomplete(model, folder, `There is no reference "${model.revision}".`));
}

function describe(problem: Problem): string {
  return problem.cause === undefined ? problem.message : `${problem.message} ${problem.cause}`;
}

function notCached(model: ModelId, cache: string): Problem {
  return {
    code: "MODEL_NOT_IN_CACHE",
    message: `The model ${model.id} is not in the Hugging Face cache ${cache}.`,
    nextStep:
      "Download it, give the directory of the model, or set HF_HOME to the cache that has it. Nothing is downloaded here.",
  };
}

function incomplete(model: ModelId, folder: string, cause: string): Problem {
  return {
    code: "MODEL_CACHE_INCOMPLETE",
    message: `The cached copy of ${model.id} in ${folder} is incomplete.`,
    cause,
    nextStep: "Finish the download of the model, or give a directory.",
  };
}
