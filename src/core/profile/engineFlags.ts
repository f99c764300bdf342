import { type FlagTable, flagsConflict, given, inGroup, listed, one, several, type ValuesOf } from "../base/flags.js";
import { type Outcome, succeed } from "../base/outcome.js";
import { aPath, oneOf, textOf, type ValueKind, wholeNumber } from "../base/valueKinds.js";
import { DEVICE_CHOICES, isDeviceName } from "./deviceChoices.js";
import { isStrategyName, STRATEGY_NAMES, type StrategyName } from "./strategies.js";

/*
 * What the commands that run the engine have in common.
 */

/** Where the dimensions come from: a checkpoint directory with a config.json or the id of a model, or such a file itself. */
export interface ModelSource {
  readonly kind: "directory" | "configJson";
  readonly path: string;
}

/** Inclusive ranges of the numeric flags. The engine checks again, against the model and the memory. */
export const RANGES = {
  seq: { least: 1, most: 1_048_576 },
  microBatch: { least: 1, most: 4096 },
  worldSize: { least: 1, most: 65_536 },
  optimizerBytes: { least: 0, most: 64 },
  layers: { least: 1, most: 1024 },
  steps: { least: 1, most: 10_000 },
  // 2^63 - 1 bytes, the largest cache limit that the framework can represent, in whole GiB.
  cacheLimitGb: { least: 0, most: 8_589_934_591 },
} as const;

/** The engine's limit on what lengths and micro-batch make together, so that going beyond it is wrong usage. */
export const MOST_TOKENS = 67_108_864;

/** Values that the engine takes for one flag. */
export const MOST_ENTRIES = 1024;

/** Stands for every strategy on the command line. */
const ALL_STRATEGIES = "all" as const;

/** The model, in either form. */
export const modelFlags = inGroup("Model", {
  "--model": one(
    "DIR|ID",
    aPath,
    "checkpoint directory, of which only config.json is read, or a model id that the Hugging Face cache or the catalogue has; no network is used",
  ),
  "--config-json": one("FILE", aPath, "the config.json itself"),
});

/** Exactly one of them is given. */
export const modelChoice = { of: ["--model", "--config-json"], needed: "a model" } as const;

export function modelOf(flags: ValuesOf<typeof modelFlags>): ModelSource {
  const { "--model": directory, "--config-json": file } = flags;
  return directory === undefined ? { kind: "configJson", path: file ?? "" } : { kind: "directory", path: directory };
}

/** Any device that the engine opens. */
export const aDevice: ValueKind<string> = {
  what: "auto, cuda, cpu or sim:NAME",
  names: DEVICE_CHOICES.map(({ device }) => device),
  read: (text) => (isDeviceName(text) ? text : undefined),
};

/** The engine knows the names: it refuses others and lists its own. */
export const anOpModel = textOf("a name such as hf-eager or fused", /^[a-z0-9-]{1,64}$/);

export const checkpointing = oneOf(["on", "off", "both"]);

/** `--strategy`, with what runs where it is not given. */
export function strategyFlag(byDefault: string) {
  const help = `${STRATEGY_NAMES.join(", ")}, or all of them as \`${ALL_STRATEGIES}\` (default ${byDefault})`;
  return several("S", oneOf([...STRATEGY_NAMES, ALL_STRATEGIES]), help, { most: MOST_ENTRIES, split: true });
}

/** The strategies of `--strategy`, each once. */
export function strategiesOf(words: readonly (StrategyName | typeof ALL_STRATEGIES)[]): readonly StrategyName[] {
  return [...new Set(words.flatMap((word) => (isStrategyName(word) ? [word] : STRATEGY_NAMES)))];
}

/** `--seq`. */
export function lengthsFlag(most: number, byDefault: string) {
  const help = `tokens per sequence; several lengths take turns over the steps (default ${byDefault})`;
  return listed("N", wholeNumber(RANGES.seq), help, most);
}

/** Which part of a job runs on the device. */
export const shareFlags = {
  "--layers": one("N", wholeNumber(RANGES.layers), "only the first N layers of the model"),
  "--world-size": one(
    "N",
    wholeNumber(RANGES.worldSize),
    "on a simulated device: ranks of FSDP2 that share parameters and gradients (default 1)",
  ),
  "--packed": one(
    "N",
    wholeNumber(RANGES.seq),
    "on a simulated device: a row holds sequences of at most N tokens, and attention stays within them (default: a row is one sequence)",
  ),
  "--sp": one("N", wholeNumber(RANGES.worldSize), "of them, ranks that share one sequence (default 1)"),
  "--optimizer-bytes": one(
    "N",
    wholeNumber(RANGES.optimizerBytes),
    "optimizer state per trained parameter, e.g. 8 for AdamW in fp32 (default none)",
  ),
} satisfies FlagTable;

/** As the engine's request has it; without the members that are not given. */
export function shareOf(flags: ValuesOf<typeof shareFlags>) {
  return {
    ...given("layers", flags["--layers"]),
    ...given("worldSize", flags["--world-size"]),
    ...given("packedTokens", flags["--packed"]),
    ...given("sequenceParallel", flags["--sp"]),
    ...given("optimizerBytes", flags["--optimizer-bytes"]),
  };
}

/** Fails when the longest sequence in the largest micro-batch has more tokens than the engine takes. */
export function checkTokens(seqLens: readonly number[] = [], microBatches: readonly number[] = []): Outcome<undefined> {
  const tokens = Math.max(0, ...seqLens) * Math.max(1, ...microBatches);
  if (tokens <= MOST_TOKENS) return succeed(undefined);
  return flagsConflict(`--seq times --micro-batch is ${tokens} tokens.`, `Use at most ${MOST_TOKENS} tokens.`);
}
