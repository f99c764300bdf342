import { lazyLines } from "../config/document/position.js";
import { WorkloadKeys } from "../config/document/workloadKeys.js";
import type { JobKeys } from "../config/jobKeys.js";
import { RoleKeys } from "../config/verl/roleKeys.js";
import { verlDefaults } from "../config/verl/verlDefaults.js";
import type { LeverKey } from "./leverKey.js";
import { trainingLevers } from "./trainingLevers.js";
import { verlLevers } from "./verlLevers.js";

/** The table of a block. The list of patterns is not among them: its values rest on the model. */
export function leverKeys(keys: JobKeys): readonly LeverKey[] {
  if (keys.framework === "VeOmni") return trainingLevers(keys.context);
  const { document, places } = keys;
  const defaults = verlDefaults(places);
  const reader = new WorkloadKeys(document, "verl", true, (key) => defaults.get(key), lazyLines(document.text));
  return verlLevers(new RoleKeys(reader, places));
}
