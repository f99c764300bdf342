import { engineOnlyKeys, offloadKeys } from "../verl/fields/verlHomes.js";
import type { JsonSchema } from "./jsonSchema.js";

const engineBlock: JsonSchema = { $ref: "#/$defs/engineBlock" };
const optimizerBlock: JsonSchema = { $ref: "#/$defs/optimizerBlock" };

/** An object that has this member, matching a schema. */
function having(key: string, schema: JsonSchema): JsonSchema {
  return { type: "object", required: [key], properties: { [key]: schema } };
}

/** The same along a path. */
function at(path: readonly string[], schema: JsonSchema): JsonSchema {
  return path.reduceRight((inner, key) => having(key, inner), schema);
}

/** Not both. */
function excludes(left: JsonSchema, right: JsonSchema): JsonSchema {
  return { not: { allOf: [left, right] } };
}

/** The second, whenever the first. */
function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

function hasClass(name: string): JsonSchema {
  return having("_target_", { type: "string", pattern: `(^|\\.)${name}$` });
}

/** Which part of the schema a file is, then what the rules on several keys say, as far as a schema can. */
export const verlConditions: readonly JsonSchema[] = [
  implies(hasClass("VeOmniEngineConfig"), engineBlock),
  implies(hasClass("VeOmniOptimizerConfig"), optimizerBlock),
  { not: { allOf: [hasClass("VeOmniEngineConfig"), having("init_device", { const: "cpu" })] } },
  implies(
    { allOf: [hasClass("VeOmniOptimizerConfig"), having("lr", { const: 0 })] },
    having("lr_scheduler_type", { not: { enum: ["cosine", "linear"] } }),
  ),
  implies(sftSelectsEngine(), { properties: { engine: engineBlock } }),
  ...["actor_rollout_ref.actor", "critic"].map((role) => optimizerBeside(role.split("."))),
  ...roles().flatMap(({ role, model, trains }) => roleConditions(role, model, trains)),
  {
    not: {
      allOf: [
        at(["distillation", "enabled"], { const: true }),
        at(["distillation", "distillation_loss", "loss_mode"], { type: "string", pattern: "[Tt][Oo][Pp]_?[Kk]" }),
        at(["actor_rollout_ref", "actor", "veomni"], {}),
        {
          anyOf: [
            at(["actor_rollout_ref", "actor", "pad_to_length"], { const: true }),
            at(["actor_rollout_ref", "actor", "veomni", "pad_to_length"], { const: true }),
          ],
        },
      ],
    },
  },
  excludes(
    at(["actor_rollout_ref", "actor", "veomni", "router_replay", "mode"], { const: "R3" }),
    at(["actor_rollout_ref", "rollout", "enable_rollout_routing_replay"], { const: false }),
  ),
];

function sftSelectsEngine(): JsonSchema {
  const chosen = ["engine", "engine@engine"].map((group) => having(group, { const: "veomni" }));
  return {
    anyOf: [
      having("engine", hasClass("VeOmniEngineConfig")),
      having("engine", having("strategy", { const: "veomni" })),
      having("defaults", { type: "array", contains: { anyOf: chosen } }),
    ],
  };
}

/** The optimizer of a role that has the engine's block, unless it names another class. */
function optimizerBeside(role: readonly string[]): JsonSchema {
  const other = { ...having("_target_", {}), not: hasClass("VeOmniOptimizerConfig") };
  const beside = { type: "object", properties: { optim: { anyOf: [other, optimizerBlock] } } };
  return implies(at([...role, "veomni"], {}), optional(role, beside));
}

/** Holds where the path exists. */
function optional(path: readonly string[], schema: JsonSchema): JsonSchema {
  return path.reduceRight<JsonSchema>(
    (inner, key) => ({ anyOf: [{ not: { type: "object" } }, { type: "object", properties: { [key]: inner } }] }),
    schema,
  );
}

function roles() {
  return [
    { role: ["actor_rollout_ref", "actor"], model: ["actor_rollout_ref", "model"], trains: true },
    { role: ["actor_rollout_ref", "ref"], model: ["actor_rollout_ref", "model"], trains: false },
    { role: ["critic"], model: ["critic", "model"], trains: true },
  ] as const;
}

function roleConditions(role: readonly string[], model: readonly string[], trains: boolean): readonly JsonSchema[] {
  const block = [...role, "veomni"];
  const otherEngine = having("model_engine", {
    type: "string",
    not: { anyOf: [{ const: "veomni" }, { pattern: "\\$\\{" }] },
  });
  const replay = at([...block, "router_replay", "mode"], { enum: ["R2", "R3"] });
  return [
    { anyOf: [otherEngine, excludes(at(block, {}), at([...model, "enable_activation_offload"], { const: true }))] },
    { anyOf: [otherEngine, excludes(replay, at([...model, "use_remove_padding"], { const: false }))] },
    { not: at(block, having("init_device", { const: "cpu" })) },
    ...(trains ? [{ not: at(block, having("forward_only", { const: true })) }] : []),
    excludes(at(block, {}), at(role, anyOfKeys(engineOnlyKeys))),
    excludes(at(block, {}), at(model, anyOfKeys(offloadKeys))),
    excludes(at(block, {}), at([...role, "engine"], anyOfKeys(engineOnlyKeys))),
  ];
}

function anyOfKeys(keys: ReadonlySet<string>): JsonSchema {
  return { type: "object", anyOf: [...keys].map((key) => having(key, {})) };
}
