import { z } from "zod";

/** A JSON Schema, or a part of one. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Keys that YAML and Hydra take for themselves in any mapping. */
export const foreignToDataclasses = ["<<", "_target_", "_convert_", "_recursive_", "_partial_", "_args_", "defaults"];

/** Members that any strict block accepts beside its own. */
export function reservedMembers(names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
}

/**
 * JSON Schema 2020-12 of a zod schema, as an editor wants it for input. `rootRules` are added to the root: zod cannot express
 * conditions between keys. The bounds that zod gives every whole number are taken out again.
 */
export function toJsonSchema(schema: z.ZodType, title: string, rootRules: readonly JsonSchema[]): JsonSchema {
  const result = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
  return { ...result, title, ...(rootRules.length === 0 ? {} : { allOf: rootRules }) };
}
