import { fail, type Outcome, succeed } from "../base/outcome.js";
import { MOST_TOKENS, RANGES } from "../profile/engineFlags.js";
import type { ProfileRequest } from "../profile/request.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD, type StrategyName } from "../profile/strategies.js";
import { type Fit, fitOf } from "./fragmentation.js";
import type { SweepBase } from "./grid.js";
import type { Simulate } from "./runSweep.js";

/** The job whose limits are asked for. */
export interface FitJob {
  /** What every request has; lengths, rows and ranks are those of the job. */
  readonly base: SweepBase;
  readonly microBatch: number;
  /** Rows hold several sequences end to end: then a budget of tokens is the size of a micro-batch. */
  readonly isPacked: boolean;
  readonly gradientCheckpointing: boolean;
  readonly patterns: readonly string[];
  readonly cacheLimitGb: number;
  /** The engine that trains has async offload. */
  readonly canOffload: boolean;
}

/** The largest size that fits surely and the largest that barely fits; `null`: not even the smallest, or none that is known. */
export interface Limit {
  readonly surely: number | null;
  readonly barely: number | null;
}

/** What fits with one strategy. */
export interface FitAnswer {
  readonly strategy: StrategyName;
  /** Tokens of a packed row on one GPU, or sequences of the job's length. */
  readonly microBatch: Limit;
  /** Tokens of one sequence alone in its micro-batch, over all ranks that share it. */
  readonly sequence: Limit;
  /** The fewest ranks that the job itself fits on. */
  readonly ranks: Limit;
}

/** What of a job fits a memory. */
export interface Fits {
  readonly budgetBytes: number;
  /** What `microBatch` counts. */
  readonly unit: "tokens" | "sequences";
  /** Of a packed row: tokens of the longest sequence that a GPU has its share of, where the job says them. */
  readonly sequenceTokens?: number;
  readonly answers: readonly FitAnswer[];
}

/** Sizes are found to one part in 64, or to this many tokens. */
const FINENESS = 64;
const TOKEN_GRAIN = 256;
const MOST_RANKS = 4096;

/**
 * The largest micro-batch, the longest sequence and the fewest ranks that fit a memory, without and with async offload, each by
 * simulations of the job with one size changed. A size that the engine refuses (heads that no rank can share, too many tokens) does not fit.
 * Fails with the engine's problem for the job itself, and with `CANCELLED`.
 */
export async function runFits(
  simulate: Simulate,
  job: FitJob,
  budgetBytes: number,
  isCancelled: () => boolean = () => false,
): Promise<Outcome<Fits>> {
  const answers: FitAnswer[] = [];
  const strategies: readonly StrategyName[] = job.canOffload ? [NO_OFFLOAD, ASYNC_OFFLOAD] : [NO_OFFLOAD];
  for (const strategy of strategies) {
    const search = new FitSearch(simulate, job, strategy, budgetBytes, isCancelled);
    const refused = await search.refusal();
    if (refused !== undefined) return refused;
    const answer = await search.answer();
    if (isCancelled()) return fail(cancelled);
    answers.push(answer);
  }
  const { packedTokens, sequenceParallel = 1 } = job.base;
  const share = job.isPacked && packedTokens !== undefined ? { sequenceTokens: packedTokens / sequenceParallel } : {};
  return succeed({ budgetBytes, unit: job.isPacked ? "tokens" : "sequences", ...share, answers });
}

class FitSearch {
  readonly #fits = new Map<string, Fit>();

  constructor(
    private readonly simulate: Simulate,
    private readonly job: FitJob,
    private readonly strategy: StrategyName,
    private readonly budgetBytes: number,
    private readonly isCancelled: () => boolean,
  ) {}

  async refusal(): Promise<Outcome<never> | undefined> {
    const own = await this.simulate(this.#request({}));
    return own.ok ? undefined : own;
  }

  async answer(): Promise<FitAnswer> {
    const share = this.job.base.sequenceParallel ?? 1;
    const row = { grain: TOKEN_GRAIN * share, most: Math.min(RANGES.seq.most, MOST_TOKENS) };
    return {
      strategy: this.strategy,
      microBatch: this.job.isPacked ? await this.#largestBudget(row, share) : await this.#largestBatch(),
      sequence: await this.#largest(row, (tokens) => ({ seqLens: [tokens], microBatch: 1, packedTokens: undefined })),
      ranks: await this.#fewestRanks(share),
    };
  }

  async #largestBudget(row: Range, share: number): Promise<Limit> {
    const { surely, barely } = await this.#largest(row, (tokens) => this.#packedRow(tokens));
    const perGpu = (tokens: number | null) => (tokens === null ? null : tokens / share);
    return { surely: perGpu(surely), barely: perGpu(barely) };
  }

  #largestBatch(): Promise<Limit> {
    const length = this.job.base.seqLens?.[0] ?? 1;
    const most = Math.min(RANGES.microBatch.most, Math.floor(MOST_TOKENS / length));
    return this.#largest({ grain: 1, most }, (microBatch) => ({ microBatch }));
  }

  /** A row keeps sequences of the same length at most. */
  #packedRow(tokens: number): SizeOf {
    const { packedTokens } = this.job.base;
    if (packedTokens === undefined) return { seqLens: [tokens], microBatch: 1 };
    return { seqLens: [tokens], microBatch: 1, packedTokens: Math.min(tokens, packedTokens) };
  }

  async #largest(range: Range, size: (n: number) => SizeOf): Promise<Limit> {
    return {
      surely: await this.#largestThat(range, size, (fit) => fit === "surely"),
      barely: await this.#largestThat(range, size, (fit) => fit !== "not"),
    };
  }

  /** Doubles while it fits, then halves the gap; a peak does not fall while a size grows. */
  async #largestThat(
    { grain, most }: Range,
    size: (n: number) => SizeOf,
    isGood: (fit: Fit) => boolean,
  ): Promise<number | null> {
    const fits = async (units: number) => isGood(await this.#fitOf(size(units * grain)));
    const mostUnits = Math.floor(most / grain);
    if (mostUnits < 1 || !(await fits(1))) return null;
    let good = 1;
    let bad = mostUnits + 1;
    for (let next = 2; next < bad; next *= 2) {
      if (await fits(next)) good = next;
      else bad = next;
    }
    while (bad - good > Math.max(1, good / FINENESS)) {
      const middle = Math.floor((good + bad) / 2);
      if (await fits(middle)) good = middle;
      else bad = middle;
    }
    return good * grain;
  }

  /** Powers of two times the ranks that share a row; more ranks hold less each. */
  async #fewestRanks(share: number): Promise<Limit> {
    let surely: number | null = null;
    let barely: number | null = null;
    for (let ranks = share; ranks <= MOST_RANKS && surely === null; ranks *= 2) {
      const fit = await this.#fitOf(this.#onRanks(ranks));
      if (fit !== "not") barely ??= ranks;
      if (fit === "surely") surely = ranks;
    }
    return { surely, barely };
  }

  /** Of the same mini-batch fewer ranks have more micro-batches each, and gradients then stay between two. */
  #onRanks(ranks: number): SizeOf {
    const { worldSize = 1, optimizer, accumulation } = this.job.base;
    const isShared = ranks < worldSize && optimizer !== undefined && accumulation === 1;
    return { worldSize: ranks, ...(isShared ? { accumulation: 2 } : {}) };
  }

  async #fitOf(size: SizeOf): Promise<Fit> {
    const request = this.#request(size);
    const key = JSON.stringify(request);
    const known = this.#fits.get(key);
    if (known !== undefined) return known;
    if (this.isCancelled()) return "not";
    const result = await this.simulate(request);
    const run = result.ok ? result.value.runs.find(({ strategy }) => strategy === this.strategy) : undefined;
    const fit = run === undefined ? "not" : fitOf(run.peakBytes, this.budgetBytes);
    this.#fits.set(key, fit);
    return fit;
  }

  /** A single step is the second one of a job: its states exist. */
  #request(size: SizeOf): ProfileRequest {
    const { base, microBatch, gradientCheckpointing, patterns, cacheLimitGb } = this.job;
    const { packedTokens, ...others } = { ...base, microBatch, ...size };
    return {
      ...others,
      ...(packedTokens === undefined ? {} : { packedTokens }),
      strategies: [this.strategy],
      gradientCheckpointing: gradientCheckpointing ? "on" : "off",
      patterns,
      cacheLimitGb,
      steps: 1,
    };
  }
}

/** What of a request is changed. */
interface SizeOf {
  readonly seqLens?: readonly number[];
  readonly microBatch?: number;
  readonly packedTokens?: number | undefined;
  readonly worldSize?: number;
  readonly accumulation?: number;
}

/** Sizes that are tried are multiples of `grain`. */
interface Range {
  readonly grain: number;
  readonly most: number;
}

const cancelled = {
  code: "CANCELLED",
  message: "The search for what fits was cancelled.",
  nextStep: "Start it again when you want it.",
};
