import type { FileSource } from "../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { catalogueSource } from "../modules/families/catalogue.js";
import type { Environment } from "../modules/source/expandPath.js";
import { readModelId } from "../modules/source/hubCache.js";
import type { TreeRequest } from "../modules/source/loadTree.js";
import { modelSourceOf } from "../modules/source/modelSource.js";
import type { ModelSource } from "./engineFlags.js";
import { readModelConfig } from "./modelConfig.js";

/** The text of a config.json, and what must be said of where it comes from. */
export interface NamedModel {
  readonly configJson: string;
  readonly notes: readonly string[];
}

/**
 * The config.json of what a command line names: a file, a directory, or a model id that the Hugging Face cache or the built-in
 * catalogue has. A directory wins over an id. `resolve` makes a path absolute. Never uses a network. Problems: those of
 * `readModelConfig` and of a damaged cache.
 */
export async function readNamedModel(
  files: FileSource,
  model: ModelSource,
  environment: Environment,
  resolve: (path: string) => string,
): Promise<Outcome<NamedModel>> {
  const read = await readModelConfig(files, { ...model, path: resolve(model.path) });
  if (read.ok) return succeed({ configJson: read.value, notes: [] });
  const id = model.kind === "directory" ? readModelId(model.path)?.id : undefined;
  if (id === undefined || read.problem.code !== "MODEL_DIRECTORY_MISSING") return read;
  const found = await modelSourceOf(files, model.path, environment, resolve);
  if (!found.ok) return fail(found.problem.code === "MODEL_NOT_IN_CACHE" ? unknownId(model.path, id) : found.problem);
  const configJson = await requestedConfig(files, found.value.request);
  if (!configJson.ok) return fail(found.value.hide(configJson.problem));
  const notes = found.value.request.kind === "catalogue" ? [catalogueSource] : [];
  return succeed({ configJson: configJson.value, notes });
}

/** The config.json behind the source of a module tree. A tree file names modules only: `MODEL_CONFIG_MISSING`. */
export async function requestedConfig(files: FileSource, request: TreeRequest): Promise<Outcome<string>> {
  switch (request.kind) {
    case "catalogue":
      return succeed(JSON.stringify(request.config));
    case "checkpoint":
      return readModelConfig(files, { kind: "directory", path: request.directory });
    case "config-json":
      return readModelConfig(files, { kind: "configJson", path: request.path });
    case "tree-file":
      return fail({
        code: "MODEL_CONFIG_MISSING",
        message: `${request.path} is a tree file, which holds no sizes to run with.`,
        nextStep: "Choose the model's directory, its config.json or its id for a profile.",
      });
  }
}

function unknownId(written: string, id: string): Problem {
  return {
    code: "MODEL_DIRECTORY_MISSING",
    message: `The model directory ${written} does not exist.`,
    cause: `Neither the Hugging Face cache nor the built-in catalogue has a model ${id}.`,
    nextStep: "Give a directory with config.json and safetensors files, or the model's config.json as --config-json.",
  };
}
