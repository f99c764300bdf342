import type { FieldSpec } from "./fieldSpec.js";

/** The three keys of stream-based activation offload (verl #7724). */
export const verlEngineOffload: readonly FieldSpec[] = [
  {
    key: "enable_async_activation_offload",
    type: "bool",
    nullable: false,
    yamlDefault: false,
    dataclassDefault: false,
    constraints: [
      "Needs a VeOmni that has veomni.distributed.async_offload (VeOmni #965); otherwise ImportError at model build.",
      "model.enable_activation_offload must stay false (docstring: rejected for this engine).",
      "Applied before FSDP2/gradient checkpointing, so it works with gradient checkpointing and is meant to be combined with it.",
    ],
    since: "verl #7724",
    reader: "engine",
    readBy: "engine",
    refFollowsActor: "unknown after #7724 (not in the ref list of the snapshot)",
    description:
      "Turn on stream-based activation offload to host memory; the only activation offload mode of this engine.",
    pitfall:
      "VeOmni itself calls the switch enable_async_activation; mixing the two names is a documented mistake (VeOmni #1127). A Hydra override value of yes/no/on/off is a non-empty string, hence truthy. Pointless in the ref block (no backward).",
  },
  {
    key: "activation_offload_modules",
    type: "list[str]",
    nullable: false,
    yamlDefault: [],
    dataclassDefault: [],
    nullFailure: "the engine calls list(None), a TypeError",
    constraints: [
      "If non-empty and nothing matches: ValueError at model build.",
      "If empty and the model has no usable _no_split_modules: ValueError.",
      "Only read when enable_async_activation_offload is true.",
      "Must be a list: the engine calls list() on it.",
    ],
    since: "verl #7724",
    reader: "engine",
    readBy: "engine",
    refFollowsActor: "unknown after #7724",
    description:
      "Module-path patterns to offload; empty means auto-discovery by class name from model._no_split_modules.",
    pitfall:
      "A bare string is exploded into single characters; a * among them then matches the root and every top-level module, so training starts with wrong hooks instead of failing.",
  },
  {
    key: "activation_offload_host_cache_limit_gb",
    type: "float",
    nullable: false,
    yamlDefault: 4,
    dataclassDefault: 4,
    range: {
      minimum: 0,
      maximum: 8589934591,
      failure: "the engine config raises ValueError",
    },
    nullFailure: "the finite check on None is a TypeError",
    constraints: [
      "Finite and >= 0 (ValueError).",
      "VeOmni additionally caps it at sys.maxsize // 1024^3 = 8589934591.",
      'A string (4GB, "4.0") fails inside isfinite with TypeError.',
    ],
    since: "verl #7724",
    reader: "engine",
    readBy: "engine",
    refFollowsActor: "unknown after #7724",
    description: "Upper bound in GB (1024^3 bytes) of idle pinned host buffers kept between steps; 0 disables reuse.",
    pitfall:
      "Bounds only the idle cache, not in-flight buffers; it is not a GPU limit and not a total host-memory limit.",
  },
];
