import { dirname, resolve } from "node:path";
import { type ReadConfig, settingsOf } from "../../core/config/readConfig.js";
import type { KnownModels, ModelFacts } from "../../core/modules/families/familyKernels.js";
import { modelSourceOf } from "../../core/modules/source/modelSource.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import type { CliIo } from "../io.js";

const maxModels = 16;
const maxConfigBytes = 2 ** 20;

/**
 * What config.json says of the models that a configuration names, by the path as it stands there; models that are not on this machine are
 * left out. A relative path counts from the folder of the file, then from `cwd`. Never fails.
 */
export async function namedModels(read: ReadConfig, { env, cwd }: CliIo): Promise<KnownModels> {
  const written = new Set(settingsOf(read, env).flatMap(({ modelPath }) => modelPath ?? []));
  const found = new Map<string, ModelFacts>();
  for (const model of [...written].slice(0, maxModels)) {
    const facts = (await factsOf(model, env, dirname(read.path))) ?? (await factsOf(model, env, cwd));
    if (facts !== undefined) found.set(model, facts);
  }
  return found;
}

async function factsOf(model: string, env: CliIo["env"], folder: string): Promise<ModelFacts | undefined> {
  const source = await modelSourceOf(nodeFiles, model, env, (each) => resolve(folder, each));
  if (!source.ok) return undefined;
  const { request } = source.value;
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
