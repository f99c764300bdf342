import type { RecognisedFamily } from "../../modules/families/familyKernels.js";
import { familyAt, judgeKernel } from "../rules/modelKernels.js";
import { type PlacedKey, placedKey, type TrainingContext } from "./trainingContext.js";

/** The family that a training config names, with the key that names it; `config_path` decides what is built. */
export function trainingFamily(
  context: TrainingContext,
): { readonly family: RecognisedFamily; readonly key: PlacedKey } | undefined {
  for (const name of ["model.config_path", "model.model_path"]) {
    const key = placedKey(context, name);
    const family = familyAt(key?.entry.value, context.options?.models);
    if (key !== undefined && family !== undefined) return { family, key };
  }
  return undefined;
}

/** The row of a kernel selector, by the last part of its name. */
export function selectorOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** Whether the family runs a value of the selector in that row. */
export function runsKernel(family: RecognisedFamily, name: string, value: string): boolean {
  return judgeKernel(family, { selector: selectorOf(name), value, isDefault: false, packed: true }) === undefined;
}
