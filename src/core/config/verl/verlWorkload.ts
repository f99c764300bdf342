import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, nodeAt } from "../document/configNode.js";
import { type JobWorkload, likelyOf, type WorkloadField } from "../document/jobWorkload.js";
import { combined, known, type LineOf, mapped, unknown, WorkloadKeys } from "../document/workloadKeys.js";
import { RoleKeys, type VerlPlaces } from "./roleKeys.js";
import { verlDefaults } from "./verlDefaults.js";
import { entropyChunkOf, entropyOf, headOf } from "./verlHead.js";

/**
 * The job of one role of verl. `isWhole`: what the text leaves out is at verl's defaults, as in a YAML file with a list of `defaults`.
 * Of another YAML file that holds for the sections that it has: a missing one stands in another file.
 */
export function verlWorkload(
  document: ConfigDocument,
  places: VerlPlaces,
  isWhole: boolean,
  lineOf: LineOf,
): JobWorkload {
  const isComposed = isWhole || nodeAt(document.root, ["defaults"])?.kind === "sequence";
  const hasSection = (key: string): boolean => {
    const section = key.split(".")[0] ?? "";
    return isComposed || !sections.has(section) || asMapping(nodeAt(document.root, [section])) !== undefined;
  };
  const defaults = verlDefaults(places);
  const defaultOf = (key: string) => (hasSection(key) ? defaults.get(key) : undefined);
  const keys = new WorkloadKeys(document, "verl", true, defaultOf, lineOf);
  return new VerlReader(keys, places).read();
}

/** Top keys of verl's trainers; other keys stand in the file of a role or an engine itself. */
const sections: ReadonlySet<string> = new Set(["trainer", "data", "actor_rollout_ref", "critic", "model", "optim"]);

class VerlReader extends RoleKeys {
  read(): JobWorkload {
    const sequenceParallel = this.#sequenceParallel();
    const ranks = this.#ranks();
    const rows = this.#rowsAndTokens(sequenceParallel);
    const head = headOf(this, rows.isPacked);
    return {
      framework: "verl",
      ...rows,
      longest: this.longest(),
      accumulation: this.#accumulation(rows.tokensPerRow, ranks, sequenceParallel),
      ranks,
      sequenceParallel,
      shard: this.#shard(ranks, sequenceParallel),
      master: this.#master(),
      optimizer: this.#optimizer(),
      head: head.head,
      entropy: entropyOf(this, head.isFused),
      entropyChunk: entropyChunkOf(this),
      autocast: known(true, { kind: "assumption", what: "verl wraps model and loss in autocast" }),
      reduce: this.isVeomni
        ? known("each", { kind: "assumption", what: "VeOmni reduces after every micro-batch" })
        : known("last", { kind: "assumption", what: "verl's fsdp engine reduces after the last micro-batch" }),
      gradientCheckpointing: this.keys.flag(this.model("enable_gradient_checkpointing")),
      clip: known(true, { kind: "assumption", what: "verl always clips" }),
      pass: this.places.role === "ref" ? "logprob" : "train",
      problems: this.keys.problems,
    };
  }

  #ranks(): WorkloadField<number> {
    const nodes = this.keys.count("trainer.nnodes");
    const perNode = this.keys.count("trainer.n_gpus_per_node");
    return this.#product(nodes, perNode, "trainer.nnodes times trainer.n_gpus_per_node");
  }

  #sequenceParallel(): WorkloadField<number> {
    const name = this.isVeomni ? "ulysses_parallel_size" : "ulysses_sequence_parallel_size";
    const ofRole = this.role(name);
    const isAbove = !this.isVeomni && !this.keys.isWritten(this.block(name)) && this.keys.isWritten(ofRole);
    return this.keys.count(isAbove ? ofRole : this.block(name));
  }

  /** Tokens of one row, and how many rows, as `use_dynamic_bsz` and `use_remove_padding` make them. */
  #rowsAndTokens(sequenceParallel: WorkloadField<number>): Pick<JobWorkload, "tokensPerRow" | "rows" | "isPacked"> {
    const isPacked = this.#flagOf(this.isSft ? undefined : this.model("use_remove_padding"), true);
    if (isPacked === undefined)
      return { tokensPerRow: unknown("use_remove_padding is not known"), rows: known(1), isPacked: true };
    const dynamicKey = this.#dynamicKey();
    const isDynamic = this.keys.flag(dynamicKey);
    if (isDynamic.kind !== "value") {
      return { tokensPerRow: isDynamic as WorkloadField<never>, rows: known(1), isPacked };
    }
    if (isDynamic.value) {
      const budget = this.#product(
        this.keys.count(this.#budgetKey()),
        sequenceParallel,
        "the token budget times the sequence-parallel size",
      );
      this.#checkBudget(budget);
      return { tokensPerRow: this.#padded(aboutBudget(budget), sequenceParallel), rows: known(1), isPacked: true };
    }
    const samples = this.#samples();
    const length = this.longest();
    if (!isPacked) return { tokensPerRow: length, rows: samples, isPacked };
    const tokens = this.#product(samples, length, "samples of a micro-batch times their longest length");
    return { tokensPerRow: this.#padded(upTo(tokens), sequenceParallel), rows: known(1), isPacked };
  }

  /** The longest sequence that the job allows. */
  longest(): WorkloadField<number> {
    if (this.isSft) return this.keys.count("data.max_length");
    const prompt = this.keys.count("data.max_prompt_length");
    return combined(prompt, this.keys.count("data.max_response_length"), (left, right) => left + right);
  }

  #samples(): WorkloadField<number> {
    const key = this.#sampleKey();
    if (this.keys.isWritten(key) || this.isSft) return this.keys.count(key);
    const inBlock = this.block("micro_batch_size_per_gpu");
    if (this.isVeomni && this.keys.isWritten(inBlock)) return this.keys.count(inBlock);
    return unknown(`${key} is not set, and without use_dynamic_bsz verl needs it`);
  }

  #sampleKey(): string {
    if (this.isSft) return "data.micro_batch_size_per_gpu";
    return this.role(this.places.role === "ref" ? "log_prob_micro_batch_size_per_gpu" : "ppo_micro_batch_size_per_gpu");
  }

  /** The reference and the critic follow the actor where they say nothing. */
  #dynamicKey(): string {
    if (this.isSft) return "data.use_dynamic_bsz";
    const own = this.role(this.places.role === "ref" ? "log_prob_use_dynamic_bsz" : "use_dynamic_bsz");
    return this.keys.isWritten(own) ? own : this.#actors("use_dynamic_bsz", own);
  }

  #budgetKey(): string {
    if (this.isSft) return "data.max_token_len_per_gpu";
    if (this.places.role !== "ref") return this.role("ppo_max_token_len_per_gpu");
    const own = this.role("log_prob_max_token_len_per_gpu");
    return this.keys.isWritten(own) ? own : this.#actors("ppo_max_token_len_per_gpu", own);
  }

  #actors(key: string, own: string): string {
    return this.places.role === "actor" || this.places.role === "unknown" ? own : `actor_rollout_ref.actor.${key}`;
  }

  /** `pad_to_length` rounds the packed row up to a multiple of the bucket, and that to one of the sequence-parallel size. */
  #padded(tokens: WorkloadField<number>, sequenceParallel: WorkloadField<number>): WorkloadField<number> {
    const above = this.role("pad_to_length");
    const isPadded = this.keys.flag(this.keys.isWritten(above) ? above : this.block("pad_to_length"));
    if (isPadded.kind !== "value" || !isPadded.value) return tokens;
    const written = this.keys.count(this.block("pad_to_length_bucket"));
    const bucket = combined(written, sequenceParallel, (size, each) => Math.ceil(size / each) * each);
    return combined(tokens, bucket, (count, size) => Math.ceil(count / size) * size);
  }

  #accumulation(
    tokens: WorkloadField<number>,
    ranks: WorkloadField<number>,
    sequenceParallel: WorkloadField<number>,
  ): WorkloadField<number> {
    if (this.places.role === "ref")
      return known(1, { kind: "assumption", what: "a pass without backward does not accumulate" });
    const groups = this.#divided(ranks, sequenceParallel, "ranks", "the sequence-parallel size");
    const share = this.#divided(this.#miniBatch(), groups, "samples of a mini-batch", "the data-parallel size");
    const isDynamic = this.keys.flag(this.#dynamicKey());
    if (isDynamic.kind !== "value") return unknown("use_dynamic_bsz is not known");
    if (!isDynamic.value)
      return this.#divided(share, this.#samples(), "samples of a GPU in a mini-batch", "its micro-batch");
    const all = this.#product(share, this.longest(), "samples of a mini-batch times their longest length");
    const budget = likelyOf(tokens);
    if (budget === undefined) return unknown("the token budget is not known");
    const most = mapped(all, (sum) => Math.max(1, Math.ceil(sum / budget)));
    return upTo(most);
  }

  /** Samples of one optimizer step over all ranks. */
  #miniBatch(): WorkloadField<number> {
    if (this.isSft) return this.keys.count("data.train_batch_size");
    const own = this.role("ppo_mini_batch_size");
    const mini = this.keys.count(this.keys.isWritten(own) ? own : this.#actors("ppo_mini_batch_size", own));
    return this.#product(mini, this.keys.count("actor_rollout_ref.rollout.n"), "ppo_mini_batch_size times rollout.n");
  }

  #shard(ranks: WorkloadField<number>, sequenceParallel: WorkloadField<number>): JobWorkload["shard"] {
    if (this.places.engine === "fsdp") {
      return known("fsdp2", { kind: "assumption", what: "FSDP1 is counted like FSDP2" });
    }
    const sizeKey = this.block("fsdp_size");
    if (!this.keys.isWritten(sizeKey)) return known("fsdp2", { kind: "default", key: sizeKey, framework: "verl" });
    const size = this.keys.count(sizeKey, -1);
    if (size.kind !== "value") return unknown(`${sizeKey} is not known`);
    const groups = combined(ranks, sequenceParallel, (all, each) => all / each);
    const isAll = size.value < 0 || (groups.kind === "value" && size.value >= groups.value);
    return isAll
      ? known("fsdp2", ...size.from)
      : unknown(`${sizeKey} shards over a part of the ranks (HSDP), which is not simulated`);
  }

  #master(): JobWorkload["master"] {
    if (this.isVeomni) return mapped(this.keys.flag(this.block("mixed_precision")), (on) => (on ? "fp32" : "bf16"));
    const type = this.keys.text(this.block("model_dtype"));
    if (type.kind !== "value") return unknown("model_dtype is not known");
    if (/^(?:fp32|float32|float)$/.test(type.value)) return known("fp32", ...type.from);
    if (/^(?:bf16|bfloat16)$/.test(type.value)) return known("bf16", ...type.from);
    return unknown(`model_dtype ${type.value} is not simulated`);
  }

  #optimizer(): JobWorkload["optimizer"] {
    const optim = this.isSft ? "optim" : this.role("optim");
    const name = this.keys.text(`${optim}.optimizer`);
    if (name.kind !== "value") return unknown("the optimizer is not known");
    if (!/^adamw?$/i.test(name.value)) return unknown(`the optimizer ${name.value} is not simulated`);
    const fused = `${optim}.override_optimizer_config.fused`;
    if (this.keys.isWritten(fused)) {
      const isFused = this.keys.flag(fused);
      if (isFused.kind === "value" && isFused.value) return known("adamw_fused", ...isFused.from);
    }
    return this.isVeomni ? known("adamw_foreach", ...name.from) : known("adamw_loop", ...name.from);
  }

  /** verl asserts that the longest sequence fits the budget. */
  #checkBudget(budget: WorkloadField<number>): void {
    const longest = this.longest();
    if (budget.kind !== "value" || longest.kind !== "value" || longest.value <= budget.value || this.isSft) return;
    this.keys.report(budget, {
      code: "WORKLOAD_BUDGET_TOO_SMALL",
      message: `The token budget of a micro-batch is ${budget.value}, less than the ${longest.value} tokens of the longest sequence.`,
      cause: "data.max_prompt_length plus data.max_response_length has to fit: verl asserts it before it packs.",
      nextStep: `Set ${this.#budgetKey()} to at least ${longest.value} over the sequence-parallel size.`,
    });
  }

  #product(left: WorkloadField<number>, right: WorkloadField<number>, what: string): WorkloadField<number> {
    return this.keys.product(left, right, {
      message: `${sentence(what)} is beyond 2^53.`,
      nextStep: "Check the zeros of both.",
      why: `${what} is too large`,
    });
  }

  #divided(total: WorkloadField<number>, by: WorkloadField<number>, what: string, over: string): WorkloadField<number> {
    if (total.kind === "value" && by.kind === "value" && total.value % by.value !== 0) {
      this.keys.report(by.from.some(({ kind }) => kind === "key") ? by : total, {
        code: "WORKLOAD_NOT_DIVISIBLE",
        message: `${total.value} ${what} are no multiple of ${over}, ${by.value}.`,
        cause: "verl stops at an assertion, at the latest in the first update.",
        nextStep: `Choose sizes of which ${by.value} is a divisor.`,
      });
      return unknown(`${what} do not divide by ${over}`);
    }
    return combined(total, by, (all, each) => all / each);
  }

  /** `undefined`: written, but not known. */
  #flagOf(key: string | undefined, otherwise: boolean): boolean | undefined {
    if (key === undefined) return otherwise;
    const flag = this.keys.flag(key);
    if (flag.kind === "value") return flag.value;
    return this.keys.isWritten(key) ? undefined : otherwise;
  }
}

/** Contents are balanced over micro-batches, so that one may be beyond the budget: only the mean is bounded by it. */
function aboutBudget(budget: WorkloadField<number>): WorkloadField<number> {
  if (budget.kind !== "value") return budget;
  return { kind: "range", least: 1, likely: budget.value, from: budget.from };
}

/** Real lengths are known to the data only. */
function upTo(most: WorkloadField<number>, least = 1): WorkloadField<number> {
  if (most.kind !== "value") {
    return most.kind === "range" ? { ...most, least } : most;
  }
  if (most.value === least) return most;
  return { kind: "range", least, most: most.value, likely: most.value, from: most.from };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
