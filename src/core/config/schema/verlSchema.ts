import { z } from "zod";
import type { FieldSpec, FieldTable } from "../verl/fields/fieldSpec.js";
import { verlEngineTable } from "../verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../verl/fields/verlOptimizer.js";
import { fieldSchema } from "./fieldSchema.js";
import { foreignToDataclasses, type JsonSchema, reservedMembers, toJsonSchema } from "./jsonSchema.js";
import { verlConditions } from "./verlConditions.js";

/**
 * The schema of verl's files: the engine block and the optimizer block as files of their own, role files, composed configs and
 * SFT. Keys of other blocks are left open.
 */
export function verlSchema(): JsonSchema {
  const engine = blockSchema(verlEngineTable).meta({ id: "engineBlock" });
  const optimizer = blockSchema(verlOptimizerTable).meta({ id: "optimizerBlock" });
  const toggle = z.union([z.boolean(), z.string().regex(/\$\{|^\?\?\?$/), z.null()]).optional();
  const model = z
    .looseObject({
      enable_gradient_checkpointing: toggle,
      enable_activation_offload: toggle,
      use_remove_padding: toggle,
      use_fused_kernels: toggle,
    })
    .optional();
  const role = z.looseObject({ veomni: engine.optional(), model }).optional();
  const root = z.looseObject({
    model_engine: z
      .string()
      .meta({ examples: ["dp", "megatron", "torchtitan", "veomni"] })
      .optional(),
    actor_rollout_ref: z.looseObject({ model, actor: role, ref: role }).optional(),
    critic: role,
    veomni: engine.optional(),
    model,
    optim: z.union([optimizer, z.unknown()]).optional(),
  });
  return toJsonSchema(root, "verl with the VeOmni engine", verlConditions);
}

function blockSchema(table: FieldTable): z.ZodObject {
  const shape: Record<string, z.ZodType> = reservedMembers(foreignToDataclasses);
  for (const key of table.keysUnder("")) {
    const field = table.field(key);
    if (field !== undefined) shape[key] = memberSchema(table, field);
  }
  return z.strictObject(shape);
}

function memberSchema(table: FieldTable, field: FieldSpec): z.ZodType {
  const members = field.type === "map" ? table.keysUnder(field.key) : [];
  if (members.length === 0) {
    return fieldSchema({
      ...field,
      acceptsNull: field.nullFailure === undefined,
      default: field.yamlDefault ?? field.dataclassDefault,
      description: [field.description, field.pitfall].filter((text) => text !== undefined).join(" "),
      isPatternList: field.key === "activation_offload_modules",
    });
  }
  const shape: Record<string, z.ZodType> = reservedMembers(foreignToDataclasses);
  for (const name of members) {
    const member = table.field(`${field.key}.${name}`);
    if (member !== undefined) shape[name] = memberSchema(table, member);
  }
  return z
    .union([z.strictObject(shape), z.null()])
    .meta({ description: field.description })
    .optional();
}
