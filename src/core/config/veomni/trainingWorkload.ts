import type { JobWorkload, WorkloadField } from "../document/jobWorkload.js";
import { lazyLines } from "../document/position.js";
import { combined, known, type LineOf, mapped, unknown, WorkloadKeys } from "../document/workloadKeys.js";
import { fieldNamed } from "./fields/fieldTable.js";
import { checkpointing } from "./offloadNames.js";
import { pathOf, type TrainingContext } from "./trainingContext.js";

/** What started the job, where that is in reach: it decides the ranks, which VeOmni's keys do not hold. */
export interface Launcher {
  readonly ranks: number;
  /** e.g. `torchrun --nproc_per_node=8`. */
  readonly what: string;
}

/** The flags of one call of a script. */
export interface FlagsOfCall {
  readonly launcher: Launcher | undefined;
  readonly lineOf: LineOf;
}

/**
 * The job of VeOmni's own training YAML, or of the flags of one call. Of flags only what is written is known: a YAML file may set the
 * rest.
 */
export function trainingWorkload(context: TrainingContext, flags?: FlagsOfCall): JobWorkload {
  return new TrainingReader(context, flags).read();
}

/** Rows by their names (`fieldName`), whatever the layout of the file is. */
class TrainingReader {
  readonly #keys: WorkloadKeys;
  readonly #nameOf = new Map<string, string>();

  constructor(
    private readonly context: TrainingContext,
    private readonly flags: FlagsOfCall | undefined,
  ) {
    const defaultOf = (path: string) => (flags === undefined ? this.#defaultAt(path) : undefined);
    const lineOf = flags?.lineOf ?? lazyLines(context.document.text);
    this.#keys = new WorkloadKeys(context.document, "VeOmni", false, defaultOf, lineOf);
  }

  read(): JobWorkload {
    const sequenceParallel = this.#count("train.accelerator.ulysses_size");
    const ranks = this.#ranks(sequenceParallel);
    const rows = this.#rowsAndTokens();
    return {
      framework: "VeOmni",
      ...rows,
      longest: this.#count("data.max_seq_len"),
      accumulation: this.#accumulation(ranks, sequenceParallel),
      ranks,
      sequenceParallel,
      shard: this.#shard(),
      master: mapped(this.#flag("train.accelerator.fsdp_config.mixed_precision.enable"), (on) =>
        on ? "fp32" : "bf16",
      ),
      optimizer: this.#optimizer(),
      head: this.#head(),
      entropy: known("none", { kind: "assumption", what: "a trainer with labels has no entropy" }),
      entropyChunk: unknown("a trainer with labels has no entropy"),
      autocast: known(false, { kind: "assumption", what: "VeOmni's trainer has no autocast" }),
      reduce: known("each", { kind: "assumption", what: "VeOmni reduces after every micro-batch" }),
      gradientCheckpointing: this.#flag(checkpointing),
      clip: known(true, { kind: "assumption", what: "VeOmni always clips" }),
      pass: "train",
      problems: this.#keys.problems,
    };
  }

  /** `dyn_bsz` packs up to `micro_batch_size` times `max_seq_len` tokens into one row. */
  #rowsAndTokens(): Pick<JobWorkload, "tokensPerRow" | "rows" | "isPacked"> {
    const length = this.#count("data.max_seq_len");
    const samples = this.#count("train.micro_batch_size");
    const isPacked = this.#flag("train.dyn_bsz");
    if (isPacked.kind !== "value") {
      return { tokensPerRow: unknown("train.dyn_bsz is not known"), rows: known(1), isPacked: true };
    }
    if (!isPacked.value) return { tokensPerRow: upTo(length), rows: samples, isPacked: false };
    const tokens = this.#product(samples, length);
    const isConstant = this.#flag("train.pad_to_length");
    if (isConstant.kind === "value" && isConstant.value)
      return { tokensPerRow: tokens, rows: known(1), isPacked: true };
    return { tokensPerRow: this.#counted(tokens), rows: known(1), isPacked: true };
  }

  /** In effective mode only tokens of the loss are counted: a row may be longer by the overflow ratio. */
  #counted(tokens: WorkloadField<number>): WorkloadField<number> {
    const mode = this.#text("train.dyn_bsz_count_mode");
    const ratio = this.#keys.number(this.#path("train.dyn_bsz_physical_overflow_ratio"));
    if (mode.kind !== "value" || mode.value !== "effective" || ratio.kind !== "value") return upTo(tokens);
    return upTo(tokens, Math.max(1, ratio.value));
  }

  #accumulation(ranks: WorkloadField<number>, sequenceParallel: WorkloadField<number>): WorkloadField<number> {
    const globalName = "train.global_batch_size";
    if (!this.#keys.isWritten(this.#path(globalName))) {
      return known(1, { kind: "default", key: this.#path(globalName), framework: "VeOmni" });
    }
    const total = this.#count(globalName);
    const each = combined(
      this.#count("train.micro_batch_size"),
      groupsOf(ranks, sequenceParallel),
      (micro, groups) => micro * groups,
    );
    if (total.kind === "value" && each.kind === "value" && total.value % each.value !== 0) {
      this.#keys.report(total, {
        code: "WORKLOAD_NOT_DIVISIBLE",
        message: `${this.#path(globalName)} ${total.value} is no multiple of micro_batch_size times the data-parallel size, ${each.value}.`,
        cause: "VeOmni raises ValueError.",
        nextStep: `Choose a multiple of ${each.value}.`,
      });
      return unknown("global_batch_size does not divide by the micro-batches");
    }
    return combined(total, each, (all, one) => all / one);
  }

  /** Both data-parallel sizes, or a launcher: nothing else says how many ranks there are. */
  #ranks(sequenceParallel: WorkloadField<number>): WorkloadField<number> {
    const launcher = this.flags?.launcher;
    if (launcher !== undefined) {
      const { ranks, what } = launcher;
      const origin = { kind: "launcher", what } as const;
      if (sequenceParallel.kind === "value" && ranks % sequenceParallel.value !== 0) {
        this.#keys.report(sequenceParallel, {
          code: "WORKLOAD_NOT_DIVISIBLE",
          message: `${ranks} ranks (${what}) are no multiple of ulysses_size, ${sequenceParallel.value}.`,
          cause: "VeOmni raises ValueError.",
          nextStep: "Choose a size that divides the ranks.",
        });
        return unknown("the ranks do not divide by ulysses_size");
      }
      return known(ranks, origin);
    }
    const sizes = ["train.accelerator.dp_replicate_size", "train.accelerator.dp_shard_size"].map((name) => {
      const size = this.#keys.isWritten(this.#path(name)) ? this.#count(name, -1) : undefined;
      return size?.kind === "value" && size.value > 0 ? size : undefined;
    });
    const [replicas, shards] = sizes;
    if (replicas === undefined || shards === undefined)
      return unknown("the number of ranks is the launcher's (torchrun)");
    return this.#product(this.#product(replicas, shards), sequenceParallel);
  }

  #shard(): JobWorkload["shard"] {
    const mode = this.#text("train.accelerator.fsdp_config.fsdp_mode");
    if (mode.kind !== "value") return unknown("fsdp_mode is not known");
    const replicas = this.#keys.count(this.#path("train.accelerator.dp_replicate_size"), -1);
    if (replicas.kind === "value" && replicas.value > 1) {
      return unknown("dp_replicate_size shards over a part of the ranks (HSDP), which is not simulated");
    }
    if (mode.value === "fsdp2") return known("fsdp2", ...mode.from);
    return unknown(`${mode.value} is not simulated`);
  }

  #optimizer(): JobWorkload["optimizer"] {
    const type = this.#text("train.optimizer.type");
    if (type.kind !== "value") return unknown("the optimizer is not known");
    return type.value === "adamw"
      ? known("adamw_fused", ...type.from)
      : unknown(`the optimizer ${type.value} is not simulated`);
  }

  #head(): WorkloadField<string> {
    const { trainers } = this.context;
    if (trainers.includes("DiT")) return unknown("a diffusion model has no logits");
    if (trainers.includes("DPO")) return unknown("the loss of DPO is not simulated");
    if (this.#keys.isWritten(this.#path("model.lora_config.rank"))) {
      return unknown("LoRA trains a part of the parameters, which is not simulated");
    }
    const loss = this.#text("model.ops_implementation.cross_entropy_loss_implementation");
    if (loss.kind !== "value") return unknown("cross_entropy_loss_implementation is not known");
    const head = heads.get(loss.value);
    return head === undefined ? unknown(`the loss ${loss.value} is not simulated`) : known(head, ...loss.from);
  }

  #product(left: WorkloadField<number>, right: WorkloadField<number>): WorkloadField<number> {
    return this.#keys.product(left, right, {
      message: "The sizes of a micro-batch make a number beyond 2^53.",
      nextStep: "Check the zeros of micro_batch_size and max_seq_len.",
      why: "the sizes of a micro-batch are too large",
    });
  }

  #count(name: string, least = 1): WorkloadField<number> {
    return this.#keys.count(this.#path(name), least);
  }

  #flag(name: string): WorkloadField<boolean> {
    return this.#keys.flag(this.#path(name));
  }

  #text(name: string): WorkloadField<string> {
    return this.#keys.text(this.#path(name));
  }

  /** A key that the layout lacks keeps its name, at which no file writes it. */
  #path(name: string): string {
    const path = isRow(name) ? (pathOf(this.context, name) ?? name) : name;
    this.#nameOf.set(path, name);
    return path;
  }

  #defaultAt(path: string): number | boolean | string | undefined {
    const name = this.#nameOf.get(path);
    if (name === undefined || !isRow(name)) return undefined;
    const value = fieldNamed(name).default;
    return typeof value === "number" || typeof value === "boolean" || typeof value === "string" ? value : undefined;
  }
}

/** `npu` runs the same kernel as `chunk_loss`. */
const heads: ReadonlyMap<string, string> = new Map([
  ["eager", "veomni_eager"],
  ["liger_kernel", "liger"],
  ["chunk_loss", "chunk_loss"],
  ["npu", "chunk_loss"],
]);

/** Members of a free mapping have no row. */
function isRow(name: string): boolean {
  return name !== "model.lora_config.rank";
}

function groupsOf(ranks: WorkloadField<number>, sequenceParallel: WorkloadField<number>): WorkloadField<number> {
  return combined(ranks, sequenceParallel, (all, each) => all / each);
}

/** Data may fill less; `beyond` is how much more a row may hold. */
function upTo(tokens: WorkloadField<number>, beyond = 1): WorkloadField<number> {
  if (tokens.kind !== "value") return tokens;
  const { value, from } = tokens;
  return { kind: "range", least: 1, most: Math.floor(value * beyond), likely: value, from };
}
