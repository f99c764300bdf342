import { fieldNamed } from "../veomni/fields/fieldTable.js";
import { type LayoutId, modelLayouts, olderLayouts } from "../veomni/layout.js";
import { pathIn } from "../veomni/layouts.js";
import type { JsonSchema } from "./jsonSchema.js";

const isOn: JsonSchema = { const: true };
const isSeveral: JsonSchema = { type: "number", exclusiveMinimum: 1 };
const isAny: JsonSchema = {};

/** What VeOmni's rules on several keys say about a file in one layout, as far as a schema can: errors only. */
export function trainingConditions(layout: LayoutId): readonly JsonSchema[] {
  const has = (name: string, value: JsonSchema): JsonSchema => hasKey(layout, name, value);
  return [
    ...offloadConditions(has),
    ...parallelConditions(layout, has),
    ...compileConditions(has),
    ...chunkConditions(has),
    ...otherConditions(layout, has),
    ...omniConditions(has),
    ...missingConditions(),
  ];
}

type Has = (name: string, value: JsonSchema) => JsonSchema;

const fsdpMode = "train.accelerator.fsdp_config.fsdp_mode";
const sync = "train.accelerator.offload_config.enable_activation";
const async = "train.accelerator.offload_config.enable_async_activation";
const compile = "train.torch_compile.enable";

function offloadConditions(has: Has): readonly JsonSchema[] {
  const loss = "model.ops_implementation.cross_entropy_loss_implementation";
  return [
    excludes(has(sync, isOn), has(async, isOn)),
    excludes(has(sync, isOn), has(loss, oneOf("chunk_loss", "npu"))),
  ];
}

function parallelConditions(layout: LayoutId, has: Has): readonly JsonSchema[] {
  const size = (name: string) => has(`train.accelerator.${name}`, isSeveral);
  // The flat layout had another default mode.
  const isFsdp2 = layout === "flat" ? has(fsdpMode, oneOf("fsdp2")) : not(has(fsdpMode, { not: oneOf("fsdp2") }));
  const otherDevice: JsonSchema = { type: "string", not: oneOf("meta") };
  return [
    excludes(size("cp_size"), size("ulysses_size")),
    excludes(has("train.accelerator.ep_outside", isOn), size("ep_size")),
    excludes(isFsdp2, has("train.init_device", otherDevice)),
    ...(olderLayouts.includes(layout) ? [excludes(has("train.init_device", oneOf("cpu")), size("ep_size"))] : []),
  ];
}

function compileConditions(has: Has): readonly JsonSchema[] {
  const on = has(compile, isOn);
  const graphs = {
    anyOf: [
      has("train.torch_compile.mode", oneOf("reduce-overhead")),
      has("train.torch_compile.backend", oneOf("cudagraphs")),
    ],
  };
  return [
    implies(on, has("train.pad_to_length", isOn)),
    excludes(on, has("train.dyn_bsz", { const: false })),
    excludes(on, has(fsdpMode, { not: oneOf("fsdp2") })),
    excludes(on, has("data.data_type", { not: oneOf("plaintext", "conversation", "classification", "dpo") })),
    implies({ allOf: [on, graphs] }, has("train.accelerator.fsdp_config.reshard_after_forward", { const: false })),
  ];
}

function chunkConditions(has: Has): readonly JsonSchema[] {
  const switches = ["train.pad_to_length", compile, "train.gradient_checkpointing.enable_reentrant"];
  const sizes = ["ulysses_size", "cp_size", "tp_size", "pp_size", "ep_size"];
  const conflicts = [
    ...switches.map((name) => has(name, isOn)),
    ...sizes.map((name) => has(`train.accelerator.${name}`, isSeveral)),
    has("data.data_type", oneOf("dpo")),
  ];
  return [excludes(has("train.chunk_mbs_config.enable", isOn), { anyOf: conflicts })];
}

function otherConditions(layout: LayoutId, has: Has): readonly JsonSchema[] {
  const stream = has("train.ep_sharded_stream_load", isOn);
  const group = has("train.optimizer.muon_head_group_size", { type: "number", minimum: 1 });
  const modules = has("train.optimizer.muon_head_split_modules", { type: "array", minItems: 1 });
  const stage = has("train.checkpoint.stage_dir", { type: "string", minLength: 1 });
  return [
    implies(stream, has("train.broadcast_model_weights_from_rank0", { const: false })),
    implies(group, modules),
    excludes(stage, has("train.checkpoint.save_async", isOn)),
    excludes(has("model.use_remove_padding", isOn), { anyOf: paddingConflicts(has) }),
    ...(modelLayouts.includes(layout)
      ? [not(has("model.optimizer.grad_clip_scope", oneOf("global"))), not(has(fsdpMode, oneOf("eager")))]
      : []),
  ];
}

function paddingConflicts(has: Has): readonly JsonSchema[] {
  const switches = [sync, async, compile, "train.accelerator.fsdp_config.offload"];
  const sizes = ["ulysses_size", "cp_size", "tp_size", "pp_size"];
  return [
    ...switches.map((name) => has(name, isOn)),
    ...sizes.map((name) => has(`train.accelerator.${name}`, isSeveral)),
    has(fsdpMode, { not: oneOf("fsdp2") }),
    has("data.dataloader.drop_last", { const: false }),
    has("train.accelerator.extra_parallel_names", { type: "array", minItems: 1 }),
    has("model.lora_config", { type: "object", minProperties: 1 }),
  ];
}

/** Parts of omni models are named by what they read, and each says where its weights are. */
function omniConditions(has: Has): readonly JsonSchema[] {
  const parts = (...kinds: readonly string[]): JsonSchema => ({
    type: "object",
    propertyNames: oneOf(...kinds),
    additionalProperties: { type: "object", anyOf: [at(["model_path"], isAny), at(["config_path"], isAny)] },
  });
  return [
    ["model.encoders", parts("image", "video", "audio")] as const,
    ["model.decoders", parts("image")] as const,
  ].map(([name, valid]) => implies(has(name, { type: "object" }), has(name, valid)));
}

/** Keys that a block must not lack. */
function missingConditions(): readonly JsonSchema[] {
  const diffusion = at(["data", "data_type"], oneOf("diffusion"));
  return [
    implies(at(["data"], { type: "object" }), at(["data", "train_path"], isAny)),
    implies(at(["model"], { type: "object" }), {
      anyOf: [at(["model", "model_path"], isAny), at(["model", "config_path"], isAny)],
    }),
    implies(diffusion, at(["data", "text_keys"], isAny)),
  ];
}

/** A file that gives the key such a value; never true in a layout without the key. */
function hasKey(layout: LayoutId, name: string, value: JsonSchema): JsonSchema {
  const path = pathIn(fieldNamed(name), layout);
  return path === undefined ? { not: {} } : at(path.split("."), value);
}

function at(path: readonly string[], value: JsonSchema): JsonSchema {
  return path.reduceRight<JsonSchema>(
    (inner, key) => ({ type: "object", required: [key], properties: { [key]: inner } }),
    value,
  );
}

function oneOf(...values: readonly string[]): JsonSchema {
  return { enum: values };
}

function not(schema: JsonSchema): JsonSchema {
  return { not: schema };
}

/** Not both. */
function excludes(left: JsonSchema, right: JsonSchema): JsonSchema {
  return { not: { allOf: [left, right] } };
}

/** The second, whenever the first. */
function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}
