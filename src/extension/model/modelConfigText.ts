import { fail, type Outcome } from "../../core/base/outcome.js";
import { requestedConfig } from "../../core/profile/namedModel.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import type { FoundModel } from "./findModel.js";

/** The text of a model's config.json, for the engine; problems of `requestedConfig`, as they may be shown. */
export async function modelConfigText({
  request,
  hide,
}: Pick<FoundModel, "request" | "hide">): Promise<Outcome<string>> {
  const text = await requestedConfig(nodeFiles, request);
  return text.ok ? text : fail(hide(text.problem));
}
