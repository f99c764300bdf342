import { nearestSpelling } from "../base/spelling.js";
import { isDeviceName } from "./deviceChoices.js";
import type { ProfileRequest } from "./request.js";
import { isStrategyName, STRATEGY_NAMES, type StrategyName } from "./strategies.js";

/** Where the dimensions come from: a checkpoint directory with a config.json or the id of a model, or such a file itself. */
export interface ModelSource {
  readonly kind: "directory" | "configJson";
  readonly path: string;
}

/** What the user asked the engine for; absent members take their default later. */
export type ProfileSettings = Omit<ProfileRequest, "configJson">;

/** A well-formed command line of `profile`. Paths are as written. */
export interface ProfileArguments {
  readonly model: ModelSource;
  readonly configPath: string | undefined;
  readonly json: boolean;
  readonly settings: ProfileSettings;
}

/** `wrong` says in one sentence what is wrong with the command line. */
export type ParsedProfileArguments =
  | { readonly kind: "profile"; readonly profile: ProfileArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

/** Stands for every strategy on the command line. */
const ALL_STRATEGIES = "all";

/** Inclusive ranges of the numeric flags. The engine checks again, against the model and the memory. */
export const RANGES = {
  "--seq": { least: 1, most: 1_048_576 },
  "--micro-batch": { least: 1, most: 4096 },
  "--world-size": { least: 1, most: 65_536 },
  "--sp": { least: 1, most: 65_536 },
  "--optimizer-bytes": { least: 0, most: 64 },
  "--layers": { least: 1, most: 1024 },
  "--steps": { least: 1, most: 10_000 },
  // 2^63 - 1 bytes, the largest cache limit that the framework can represent, in whole GiB.
  "--cache-limit-gb": { least: 0, most: 8_589_934_591 },
} as const;

/** The engine's limits on what several flags make together, so that going beyond them is wrong usage. */
const MOST_ENTRIES = 1024;
export const MOST_TOKENS = 67_108_864;

const SWITCHES = ["--json", "--poison", "--help", "-h"] as const;
const SINGLE = [
  "--model",
  "--config-json",
  "--config",
  "--device",
  "--gc",
  "--seq",
  "--micro-batch",
  "--layers",
  "--world-size",
  "--sp",
  "--optimizer-bytes",
  "--cache-limit-gb",
  "--double-buffer-key",
  "--op-model",
  "--steps",
  "--out",
] as const;
const REPEATED = ["--strategy", "--pattern"] as const;

/** Parses what follows the word `profile` (headless interface, `offload-lens profile`). Pure; touches no file. */
export function parseProfileArguments(args: readonly string[]): ParsedProfileArguments {
  try {
    const flags = collectFlags(args);
    if (flags.switches.has("--help") || flags.switches.has("-h")) return { kind: "help" };
    return { kind: "profile", profile: readProfile(flags) };
  } catch (error) {
    if (error instanceof WrongUsage) return { kind: "wrong", message: error.message };
    throw error;
  }
}

interface Flags {
  readonly switches: ReadonlySet<string>;
  readonly single: ReadonlyMap<string, string>;
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

/** What is wrong with a command line, in one sentence; thrown and caught within the parsers of `profile` and `sweep`. */
export class WrongUsage extends Error {}

function collectFlags(args: readonly string[]): Flags {
  const switches = new Set<string>();
  const single = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  for (let place = 0; place < args.length; place++) {
    const { name, inline } = splitFlag(args[place] ?? "");
    if (isOneOf(SWITCHES, name)) {
      if (inline !== undefined) throw new WrongUsage(`${name} takes no value.`);
      switches.add(name);
    } else if (isOneOf(SINGLE, name)) {
      if (single.has(name)) throw new WrongUsage(`${name} is given twice.`);
      const value = inline ?? args[++place];
      if (value === undefined || (inline === undefined && isFlag(value)))
        throw new WrongUsage(`${name} needs a value.`);
      single.set(name, value);
    } else if (isOneOf(REPEATED, name)) {
      const values = inline === undefined ? valuesAfter(args, place) : [inline];
      if (values.length === 0) throw new WrongUsage(`${name} needs at least one value.`);
      if (inline === undefined) place += values.length;
      repeated.set(name, [...(repeated.get(name) ?? []), ...values]);
    } else {
      throw new WrongUsage(unknownWord(name));
    }
  }
  return { switches, single, repeated };
}

function splitFlag(word: string): { name: string; inline: string | undefined } {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  if (equals < 0) return { name: word, inline: undefined };
  return { name: word.slice(0, equals), inline: word.slice(equals + 1) };
}

function valuesAfter(args: readonly string[], place: number): readonly string[] {
  const rest = args.slice(place + 1);
  const end = rest.findIndex(isFlag);
  return end < 0 ? rest : rest.slice(0, end);
}

function isFlag(word: string): boolean {
  return word.startsWith("--");
}

function unknownWord(name: string): string {
  if (!isFlag(name)) return `"${name}" is not expected here; every value of profile follows a flag.`;
  const near = nearestSpelling(name, [...SWITCHES, ...SINGLE, ...REPEATED]);
  return near === undefined
    ? `${name} is not a flag of profile.`
    : `${name} is not a flag of profile. Did you mean ${near}?`;
}

function readProfile(flags: Flags): ProfileArguments {
  const model = readModel(flags);
  const settings = readSettings(flags);
  requireTokens(settings.seqLens, settings.microBatch === undefined ? [] : [settings.microBatch]);
  return { model, configPath: flags.single.get("--config"), json: flags.switches.has("--json"), settings };
}

/** Throws `WrongUsage` when the longest sequence in the largest micro-batch has more tokens than the engine takes. */
export function requireTokens(seqLens: readonly number[] = [], microBatches: readonly number[] = []): void {
  const tokens = Math.max(0, ...seqLens) * Math.max(1, ...microBatches);
  if (tokens <= MOST_TOKENS) return;
  throw new WrongUsage(`--seq times --micro-batch is ${tokens}: use at most ${MOST_TOKENS} tokens.`);
}

function readSettings(flags: Flags): ProfileSettings {
  return {
    ...optional("device", flags.single.get("--device"), readDevice),
    ...optional("strategies", flags.repeated.get("--strategy"), readStrategies),
    ...optional("gradientCheckpointing", flags.single.get("--gc"), readCheckpointing),
    ...optional("seqLens", flags.single.get("--seq"), readSeqLens),
    ...optional("microBatch", flags.single.get("--micro-batch"), (text) => readCount("--micro-batch", text)),
    ...optional("layers", flags.single.get("--layers"), (text) => readCount("--layers", text)),
    ...optional("worldSize", flags.single.get("--world-size"), (text) => readCount("--world-size", text)),
    ...optional("sequenceParallel", flags.single.get("--sp"), (text) => readCount("--sp", text)),
    ...optional("optimizerBytes", flags.single.get("--optimizer-bytes"), (text) =>
      readCount("--optimizer-bytes", text),
    ),
    ...optional("patterns", flags.repeated.get("--pattern"), readPatterns),
    ...optional("cacheLimitGb", flags.single.get("--cache-limit-gb"), readCacheLimit),
    ...optional("doubleBufferKey", flags.single.get("--double-buffer-key"), readDoubleBufferKey),
    ...optional("opModel", flags.single.get("--op-model"), readOpModel),
    ...(flags.switches.has("--poison") ? { poison: true } : {}),
    ...optional("steps", flags.single.get("--steps"), (text) => readCount("--steps", text)),
    ...optional("outPath", flags.single.get("--out"), readOutPath),
  };
}

function optional<Key extends string, From, To>(
  key: Key,
  from: From | undefined,
  read: (from: From) => To,
): { readonly [name in Key]?: To } {
  return from === undefined ? {} : ({ [key]: read(from) } as { readonly [name in Key]?: To });
}

function readModel(flags: Flags): ModelSource {
  const directory = flags.single.get("--model");
  const configJson = flags.single.get("--config-json");
  if (directory !== undefined && configJson !== undefined) {
    throw new WrongUsage("--model and --config-json exclude each other.");
  }
  if (directory !== undefined) return { kind: "directory", path: nonEmpty("--model", directory) };
  if (configJson !== undefined) return { kind: "configJson", path: nonEmpty("--config-json", configJson) };
  throw new WrongUsage("profile needs a model: --model DIR|ID or --config-json FILE.");
}

function readPatterns(patterns: readonly string[]): readonly string[] {
  if (patterns.length <= MOST_ENTRIES) return patterns;
  throw new WrongUsage(`--pattern takes at most ${MOST_ENTRIES} patterns.`);
}

/** The editor knows a saved profile by the end of its name. */
function readOutPath(text: string): string {
  if (!/\.offload$/i.test(nonEmpty("--out", text)))
    throw new WrongUsage(`--out ${text}: the name must end in .offload.`);
  return text;
}

function nonEmpty(flag: string, text: string): string {
  if (text === "") throw new WrongUsage(`${flag} needs a path.`);
  return text;
}

function readDevice(text: string): string {
  if (isDeviceName(text)) return text;
  throw new WrongUsage(`--device ${text}: use auto, cuda, cpu or sim:NAME.`);
}

/** Values of a flag that takes several, also with commas as lists of numbers have. */
export function separated(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(",").map((part) => part.trim()));
}

/** The strategies of `--strategy`, each once; throws `WrongUsage`. */
export function readStrategies(texts: readonly string[]): readonly StrategyName[] {
  const names = separated(texts).flatMap((text) => {
    if (text === ALL_STRATEGIES) return STRATEGY_NAMES;
    if (isStrategyName(text)) return [text];
    const near = nearestSpelling(text, STRATEGY_NAMES);
    const advice =
      near === undefined ? `Use one of ${STRATEGY_NAMES.join(", ")}, or ${ALL_STRATEGIES}.` : `Did you mean ${near}?`;
    throw new WrongUsage(`--strategy ${text} is not a strategy. ${advice}`);
  });
  return [...new Set(names)];
}

function readDoubleBufferKey(text: string): "layout" | "original" {
  if (text === "layout" || text === "original") return text;
  throw new WrongUsage(`--double-buffer-key ${text}: use layout or original.`);
}

/** The engine knows the names: it refuses others and lists its own. Throws `WrongUsage`. */
export function readOpModel(text: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(text)) return text;
  throw new WrongUsage(`--op-model ${text}: use a name such as hf-eager or fused.`);
}

function readCheckpointing(text: string): "on" | "off" | "both" {
  if (text === "on" || text === "off" || text === "both") return text;
  throw new WrongUsage(`--gc ${text}: use on, off or both.`);
}

function readSeqLens(text: string): readonly number[] {
  const seqLens = text.split(",").map((part) => readCount("--seq", part.trim()));
  if (seqLens.length > MOST_ENTRIES) throw new WrongUsage(`--seq takes at most ${MOST_ENTRIES} lengths.`);
  return seqLens;
}

function readCount(flag: Exclude<keyof typeof RANGES, "--cache-limit-gb">, text: string): number {
  const { least, most } = RANGES[flag];
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUsage(`${flag} ${text}: use a whole number from ${least} to ${most}.`);
}

function readCacheLimit(text: string): number {
  const { least, most } = RANGES["--cache-limit-gb"];
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUsage(`--cache-limit-gb ${text}: use a number from ${least} to ${most}.`);
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((candidate) => candidate === name);
}
