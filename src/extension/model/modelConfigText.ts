import type { Outcome } from "../../core/base/outcome.js";
import type { TreeRequest } from "../../core/modules/source/loadTree.js";
import { requestedConfig } from "../../core/profile/namedModel.js";
import { nodeFiles } from "../../node/nodeFiles.js";

/** The text of a model's config.json, for the engine; problems of `requestedConfig`. */
export function modelConfigText(request: TreeRequest): Promise<Outcome<string>> {
  return requestedConfig(nodeFiles, request);
}
