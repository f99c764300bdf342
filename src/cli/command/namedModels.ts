import { dirname, resolve } from "node:path";
import { type ReadConfig, settingsOf } from "../../core/config/readConfig.js";
import type { KnownModels, ModelFacts } from "../../core/modules/families/familyKernels.js";
import { modelSourceOf } from "../../core/modules/source/modelSource.js";
import { maxNamedModels, modelFacts } from "../../node/modelFacts.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import type { CliIo } from "../io.js";

/**
 * What config.json says of the models that a configuration names, by the path as it stands there; models that are not on this machine are
 * left out. A relative path counts from the folder of the file, then from `cwd`. Never fails.
 */
export async function namedModels(read: ReadConfig, { env, cwd }: CliIo): Promise<KnownModels> {
  const written = new Set(settingsOf(read, env).flatMap(({ modelPath }) => modelPath ?? []));
  const found = new Map<string, ModelFacts>();
  for (const model of [...written].slice(0, maxNamedModels)) {
    const facts = (await factsOf(model, env, dirname(read.path))) ?? (await factsOf(model, env, cwd));
    if (facts !== undefined) found.set(model, facts);
  }
  return found;
}

async function factsOf(model: string, env: CliIo["env"], folder: string): Promise<ModelFacts | undefined> {
  const source = await modelSourceOf(nodeFiles, model, env, (each) => resolve(folder, each));
  return source.ok ? modelFacts(source.value.request) : undefined;
}
