import type { FileSource } from "../base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import { decodeUtf8, parseJsonBytes } from "../base/utf8.js";
import type { ModelSource } from "./engineFlags.js";

/** A config.json is a few KiB; the largest known ones (quantisation tables) stay below 1 MiB. */
export const MOST_CONFIG_BYTES = 16 * 1024 * 1024;

/**
 * Reads the text of a model's config.json, at most 16 MiB of UTF-8 JSON with an object at the top. The engine reads the
 * dimensions from it. Problems: MODEL_DIRECTORY_MISSING, MODEL_CONFIG_MISSING, MODEL_CONFIG_UNREADABLE,
 * MODEL_CONFIG_TOO_LARGE, MODEL_CONFIG_INVALID.
 */
export async function readModelConfig(files: FileSource, model: ModelSource): Promise<Outcome<string>> {
  if (model.kind === "configJson") return readConfigFile(files, model.path);
  const directory = await files.info(model.path);
  if (!directory.ok) return fail(directoryProblem(model.path, directory.problem));
  if (directory.value.kind === "directory") return readConfigFile(files, files.join(model.path, "config.json"));
  return fail({
    code: "MODEL_DIRECTORY_MISSING",
    message: `${model.path} is not a directory.`,
    nextStep: "Give the directory of the checkpoint, or the file itself as --config-json.",
  });
}

async function readConfigFile(files: FileSource, path: string): Promise<Outcome<string>> {
  const info = await files.info(path);
  if (!info.ok) return fail(configProblem(path, info.problem));
  if (info.value.kind !== "file") return fail(invalid(path, "It is not a file."));
  if (info.value.sizeBytes > MOST_CONFIG_BYTES) {
    return fail({
      code: "MODEL_CONFIG_TOO_LARGE",
      message: `${path} has ${info.value.sizeBytes} bytes.`,
      cause: "A config.json of a model has at most 16 MiB.",
      nextStep: "Check that this is the model's config.json.",
    });
  }
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return fail(configProblem(path, bytes.problem));
  return parseConfig(path, bytes.value);
}

function parseConfig(path: string, bytes: Uint8Array): Outcome<string> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return fail(invalid(path, "It is not UTF-8 text."));
  const parsed = parseJsonBytes(bytes);
  if ("cause" in parsed) return fail(invalid(path, parsed.cause));
  const { value } = parsed;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return succeed(text);
  return fail(invalid(path, "The top of the file is not an object."));
}

function directoryProblem(path: string, problem: Problem): Problem {
  const missing = problem.code === "FILE_MISSING";
  return {
    code: missing ? "MODEL_DIRECTORY_MISSING" : "MODEL_CONFIG_UNREADABLE",
    message: missing ? `The model directory ${path} does not exist.` : `The model directory ${path} cannot be read.`,
    ...(missing || problem.cause === undefined ? {} : { cause: problem.cause }),
    nextStep: missing ? "Check the path; it is a directory with config.json and safetensors files." : problem.nextStep,
  };
}

function configProblem(path: string, problem: Problem): Problem {
  const missing = problem.code === "FILE_MISSING";
  return {
    code: missing ? "MODEL_CONFIG_MISSING" : "MODEL_CONFIG_UNREADABLE",
    message: missing ? `There is no ${path}.` : `${path} cannot be read.`,
    ...(missing || problem.cause === undefined ? {} : { cause: problem.cause }),
    nextStep: missing ? "Copy the config.json of the model there; it is part of every checkpoint." : problem.nextStep,
  };
}

function invalid(path: string, cause: string): Problem {
  return {
    code: "MODEL_CONFIG_INVALID",
    message: `${path} is not a model's config.json.`,
    cause,
    nextStep: "Download it again, or restore it from the checkpoint.",
  };
}
