import type { EntropyForm, JobWorkload, WorkloadField } from "../document/jobWorkload.js";
import { known, unknown } from "../document/workloadKeys.js";
import type { RoleKeys } from "./roleKeys.js";

/*
 * Which head runs under verl, and how it makes the entropy: verl's `prepare_model_outputs` and `logprobs_from_logits` of 2026-08.
 */

interface ChosenHead {
  readonly head: WorkloadField<string>;
  readonly isFused: boolean;
}

/** Fused kernels need packed rows; without them full logits are made, by flash-attn's cross entropy where that is installed. */
export function headOf(reader: RoleKeys, isPacked: boolean): ChosenHead {
  const no = (why: string): ChosenHead => ({ head: unknown(why), isFused: false });
  const { keys, places } = reader;
  if (places.role === "critic") return no("a critic's head has one output and is not simulated");
  if (places.role === "unknown") return no("the block does not say for which role it is");
  const lora = keys.count(reader.model("lora_rank"), 0);
  if (lora.kind === "value" && lora.value > 0)
    return no("LoRA trains a part of the parameters, which is not simulated");
  const experts = keys.count(reader.block("expert_parallel_size"));
  if (experts.kind === "value" && experts.value > 1) return no("expert parallelism is not simulated");
  const fused = keys.flag(reader.model("use_fused_kernels"));
  if (fused.kind !== "value") return no("use_fused_kernels is not known");
  if (fused.value && isPacked) return reader.isVeomni ? veomniFused(reader, fused.from) : fsdpFused(reader, fused.from);
  const head = fullLogits(reader, isPacked);
  return { head, isFused: false };
}

type Origins = Extract<WorkloadField<string>, { readonly kind: "value" }>["from"];

/** The `eager` branch of VeOmni's models makes all logits before it asks for log-probabilities, which then make them again in chunks. */
function veomniFused(reader: RoleKeys, from: Origins): ChosenHead {
  const loss = reader.keys.text(reader.block("cross_entropy_loss_implementation"));
  const isEager = loss.kind === "value" && loss.value === "eager";
  const origins = loss.kind === "value" ? [...from, ...loss.from] : from;
  return { head: known(isEager ? "verl_chunked_eager" : "verl_chunked", ...origins), isFused: true };
}

function fsdpFused(reader: RoleKeys, from: Origins): ChosenHead {
  const backend = reader.keys.text(reader.model("fused_kernel_options.impl_backend"));
  const head = (name: string): WorkloadField<string> =>
    known(name, ...from, ...(backend.kind === "value" ? backend.from : []));
  const name = backend.kind === "value" ? backend.value : undefined;
  if (name === "torch") return { head: head("verl_torch_fused"), isFused: true };
  if (name === "triton") return { head: head("verl_triton"), isFused: true };
  const why = name === undefined ? "impl_backend is not known" : `impl_backend ${name} is none of verl's`;
  return { head: unknown(why), isFused: true };
}

/** Deterministic runs switch flash-attn's cross entropy off. */
function fullLogits(reader: RoleKeys, isPacked: boolean): WorkloadField<string> {
  const deterministic = reader.keys.flag(reader.block("full_determinism"));
  if (deterministic.kind === "value" && deterministic.value) {
    return known(isPacked ? "verl_torch_rows" : "verl_torch", ...deterministic.from);
  }
  return known("verl_flash", { kind: "assumption", what: "flash-attn is installed, as verl pins it" });
}

/** What the loss does with the entropy: the reference never asks for it, the old log-probabilities are another pass. */
export function entropyOf(reader: RoleKeys, isFused: boolean): JobWorkload["entropy"] {
  const { keys, places } = reader;
  if (places.role !== "actor") return known("none", { kind: "assumption", what: "only the actor's loss takes it" });
  const calculated = keys.flag(reader.role("calculate_entropy"));
  const weight = keys.number(reader.role("entropy_coeff"));
  const isAsked = (calculated.kind === "value" && calculated.value) || (weight.kind === "value" && weight.value !== 0);
  if (!isAsked && (calculated.kind !== "value" || weight.kind !== "value")) {
    return unknown("whether the loss takes the entropy is not known");
  }
  const deciding = calculated.kind === "value" && calculated.value ? calculated : weight;
  const from = deciding.kind === "value" ? deciding.from : [];
  if (!isAsked) return known("none", ...from);
  return isFused ? known("eager", ...from) : formOf(reader, from);
}

function formOf(reader: RoleKeys, from: Origins): JobWorkload["entropy"] {
  const switches = [
    ["chunked", "entropy_from_logits_with_chunking"],
    ["checkpointed", "entropy_checkpointing"],
    ["compiled", "use_torch_compile"],
  ] as const;
  const on: EntropyForm[] = [];
  const origins = [...from];
  for (const [form, key] of switches) {
    const state = switchAt(reader, key);
    if (state.kind !== "value") return unknown(`${key} is not known`);
    if (!state.value) continue;
    on.push(form);
    origins.push(...state.from);
  }
  const [form = "eager", ...more] = on;
  return more.length === 0
    ? known(form, ...origins)
    : unknown(`an entropy that is ${on.join(" and ")} is not simulated`);
}

/** FSDP's block takes the switches of the role above it where it has none. */
function switchAt(reader: RoleKeys, key: string): WorkloadField<boolean> {
  return reader.keys.flag(placeOf(reader, key));
}

function placeOf(reader: RoleKeys, key: string): string {
  const inBlock = reader.block(key);
  const isAbove = !reader.isVeomni && !reader.keys.isWritten(inBlock) && reader.keys.isWritten(reader.role(key));
  return isAbove ? reader.role(key) : inBlock;
}

/** Rows that a chunked entropy takes at once. */
export function entropyChunkOf(reader: RoleKeys): WorkloadField<number> {
  return reader.keys.count(placeOf(reader, "entropy_from_logits_chunk_size"));
}
