import type { TreeRequest } from "../core/modules/loadTree.js";
import { fail, type Outcome, succeed } from "../core/outcome.js";
import { readModelConfig } from "../core/profile/modelConfig.js";
import { nodeFiles } from "../node/nodeFiles.js";

/** The text of a model's config.json, for the engine. A tree file names modules only: `MODEL_CONFIG_MISSING`. */
export async function modelConfigText(request: TreeRequest): Promise<Outcome<string>> {
  if (request.kind === "catalogue") return succeed(JSON.stringify(request.config));
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
