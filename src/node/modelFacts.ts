import type { ModelFacts } from "../core/modules/families/familyKernels.js";
import type { TreeRequest } from "../core/modules/source/loadTree.js";
import { nodeFiles } from "./nodeFiles.js";

/** Models of one file that are looked at; no training names more. */
export const maxNamedModels = 16;
const maxConfigBytes = 2 ** 20;

/**
 * What the config.json behind a request says, as far as rules care; `undefined` where there is none on this machine, or it names no
 * family. Reads at most 1 MiB of one file. Never fails.
 */
export async function modelFacts(request: TreeRequest): Promise<ModelFacts | undefined> {
  if (request.kind !== "config-json" && request.kind !== "checkpoint") return undefined;
  const file = request.kind === "config-json" ? request.path : nodeFiles.join(request.directory, "config.json");
  const config = await nodeFiles.readBytes(file, 0, maxConfigBytes);
  return config.ok ? readFacts(new TextDecoder().decode(config.value)) : undefined;
}

function readFacts(text: string): ModelFacts | undefined {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof config !== "object" || config === null || !("model_type" in config)) return undefined;
  const { model_type: modelType } = config;
  if (typeof modelType !== "string") return undefined;
  const headDim = "head_dim" in config ? config.head_dim : undefined;
  return typeof headDim === "number" ? { modelType, headDim } : { modelType };
}
