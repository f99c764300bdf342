import { given, one, type ValuesOf } from "../base/flags.js";
import { oneOf, textOf, wholeNumber } from "../base/valueKinds.js";

/*
 * What a training step does beside the decoder stack, as a request to the engine has it. The engine
 * knows the heads and lists its own where a name is none of them.
 */

const ENTROPIES = ["none", "eager", "chunked", "checkpointed", "compiled"] as const;
const OPTIMIZERS = ["none", "adamw_fused", "adamw_foreach", "adamw_loop"] as const;

/** Members of a request about the whole step; all absent: the stack alone. */
export interface WholeStep {
  /** How logits and loss are computed, e.g. `hf_eager`; `none`: a mean of squares in their place. */
  readonly head?: string;
  readonly entropy?: (typeof ENTROPIES)[number];
  /** Absent: as the head's framework has it. */
  readonly autocast?: boolean;
  /** Whether the loss is multiplied by a factor other than 1; absent: with several micro-batches or ranks. */
  readonly lossScaled?: boolean;
  /** Rows that a chunked head takes at once; absent: its framework's. */
  readonly headChunk?: number;
  readonly entropyChunk?: number;
  readonly optimizer?: (typeof OPTIMIZERS)[number];
  /** Type of the stored parameters, which the optimizer's states follow. */
  readonly master?: "bf16" | "fp32";
  readonly shard?: "none" | "fsdp2";
  /** After which micro-batches gradients are reduced over the ranks. */
  readonly reduce?: "each" | "last";
  /** Micro-batches of one optimizer step. */
  readonly accumulation?: number;
  readonly clip?: boolean;
  /** `logprob`: forward only, for the log-probabilities of reinforcement learning. */
  readonly pass?: "train" | "logprob";
}

/** The engine's ranges; it checks again, against the tokens. */
const MOST_CHUNK = 67_108_864;
const MOST_ACCUMULATION = 4096;

const onOff = oneOf(["on", "off"]);
const chunk = wholeNumber({ least: 1, most: MOST_CHUNK });

/** The flags of it, without a heading. */
export const wholeStepFlags = {
  "--head": one(
    "NAME",
    textOf("a name such as hf_eager", /^[a-z0-9_]{1,64}$/),
    "how logits and loss are computed: hf_eager, veomni_eager, chunk_loss, liger, verl_flash, verl_torch, verl_torch_rows, verl_chunked, verl_chunked_eager, verl_torch_fused or verl_triton (default none: the stack alone)",
  ),
  "--entropy": one(
    ENTROPIES.join("|"),
    oneOf(ENTROPIES),
    "of verl's heads; with verl_chunked and the fused ones eager means that the loss uses it (default none)",
  ),
  "--autocast": one("on|off", onOff, "head and loss under autocast (default on for verl's heads, else off)"),
  "--loss-scaled": one(
    "on|off",
    onOff,
    "the loss has a factor other than 1 (default on with several micro-batches or ranks)",
  ),
  "--head-chunk": one("N", chunk, "rows that a chunked head takes at once (default its framework's)"),
  "--entropy-chunk": one("N", chunk, "rows that a chunked entropy takes at once (default 2048)"),
  "--optimizer": one(
    OPTIMIZERS.join("|"),
    oneOf(OPTIMIZERS),
    "clip and optimizer at the end of the step; a single step is then the second one, in which its states exist (default none)",
  ),
  "--master": one("fp32|bf16", oneOf(["fp32", "bf16"]), "type of stored parameters and states (default bf16)"),
  "--shard": one(
    "none|fsdp2",
    oneOf(["none", "fsdp2"]),
    "with one rank fsdp2 shows the bf16 copies and the fp32 buffers (default fsdp2 with several ranks)",
  ),
  "--reduce": one(
    "each|last",
    oneOf(["each", "last"]),
    "micro-batches after which gradients are reduced over the ranks (default each)",
  ),
  "--accumulation": one(
    "N",
    wholeNumber({ least: 1, most: MOST_ACCUMULATION }),
    "micro-batches per optimizer step (default 1)",
  ),
  "--clip": one("on|off", onOff, "clip gradients by their norm, where there is an optimizer (default on)"),
  "--pass": one("train|logprob", oneOf(["train", "logprob"]), "logprob: forward only (default train)"),
};

/** As the engine's request has it; without the members that are not given. */
export function wholeStepOf(flags: ValuesOf<typeof wholeStepFlags>): WholeStep {
  return {
    ...given("head", flags["--head"]),
    ...given("entropy", flags["--entropy"]),
    ...given("autocast", switched(flags["--autocast"])),
    ...given("lossScaled", switched(flags["--loss-scaled"])),
    ...given("headChunk", flags["--head-chunk"]),
    ...given("entropyChunk", flags["--entropy-chunk"]),
    ...given("optimizer", flags["--optimizer"]),
    ...given("master", flags["--master"]),
    ...given("shard", flags["--shard"]),
    ...given("reduce", flags["--reduce"]),
    ...given("accumulation", flags["--accumulation"]),
    ...given("clip", switched(flags["--clip"])),
    ...given("pass", flags["--pass"]),
  };
}

function switched(word: "on" | "off" | undefined): boolean | undefined {
  return word === undefined ? undefined : word === "on";
}
