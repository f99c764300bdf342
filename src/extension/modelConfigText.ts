import type { TreeRequest } from "../core/modules/loadTree.js";
import { fail, type Outcome, type Problem } from "../core/outcome.js";
import { readModelConfig } from "../core/profile/modelConfig.js";
import { nodeFiles } from "../node/nodeFiles.js";

/**
 * The text of a model's config.json, for the engine. The catalogue lacks some sizes that a profile needs: `MODEL_DIRECTORY_UNKNOWN`; a
 * tree file names modules only: `MODEL_CONFIG_MISSING`.
 */
export async function modelConfigText(request: TreeRequest): Promise<Outcome<string>> {
  if (request.kind === "catalogue") return fail(onlyCatalogue(request.id));
  if (request.kind === "checkpoint") {
    return readModelConfig(nodeFiles, { kind: "directory", path: request.directory });
  }
  if (request.kind === "config-json") {
    return readModelConfig(nodeFiles, { kind: "configJson", path: request.path });
  }
  return fail({
    code: "MODEL_CONFIG_MISSING",
    message: `${request.path} is a tree file, which holds no sizes to run with.`,
    nextStep: "Choose the model's directory, its config.json or its id for a profile.",
  });
}

function onlyCatalogue(id: string): Problem {
  return {
    code: "MODEL_DIRECTORY_UNKNOWN",
    message: `The directory of ${id} is not known.`,
    cause: "The built-in catalogue names its modules, but not every size that a profile needs.",
    nextStep: "Choose the directory with the model's config.json.",
  };
}
