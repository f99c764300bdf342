import { isLayoutId, layoutIds } from "../veomni/layout.js";
import type { JsonSchema } from "./jsonSchema.js";
import { trainingSchema } from "./trainingSchema.js";
import { verlSchema } from "./verlSchema.js";

/** Every id that `schemaOf` knows. */
export const schemaDialects: readonly string[] = ["verl", ...layoutIds];

/** JSON Schema 2020-12 of a dialect: `verl`, or a layout of VeOmni's training YAML. `undefined` for any other id. */
export function schemaOf(dialect: string): JsonSchema | undefined {
  if (dialect === "verl") return verlSchema();
  return isLayoutId(dialect) ? trainingSchema(dialect) : undefined;
}
