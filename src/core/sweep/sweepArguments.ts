import { describeProblem } from "../base/outcome.js";
import { nearestSpelling } from "../base/spelling.js";
import {
  type ModelSource,
  RANGES,
  readOpModel,
  readStrategies,
  requireTokens,
  separated,
  WrongUsage,
} from "../profile/profileArguments.js";
import { isStrategyName, type StrategyName } from "../profile/strategies.js";
import { DEFAULT_GRID, gridProblem, PATTERN_SETS, type PatternSet, type SweepBase, type SweepGrid } from "./grid.js";

/** A well-formed command line of `sweep`. Paths are as written. */
export interface SweepArguments {
  readonly model: ModelSource;
  readonly base: Omit<SweepBase, "configJson">;
  readonly grid: SweepGrid;
  /** Strategies and pattern sets that the user wrote by name. */
  readonly named: readonly (StrategyName | PatternSet)[];
  readonly budgetBytes: number | undefined;
  readonly json: boolean;
  readonly writePath: string | undefined;
}

export type ParsedSweepArguments =
  | { readonly kind: "sweep"; readonly sweep: SweepArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

const VALUE_FLAGS = [
  "--model",
  "--config-json",
  "--device",
  "--gc",
  "--seq",
  "--micro-batch",
  "--layers",
  "--cache-limit-gb",
  "--patterns",
  "--memory-gib",
  "--world-size",
  "--sp",
  "--optimizer-bytes",
  "--op-model",
  "--write",
] as const;
type ValueFlag = (typeof VALUE_FLAGS)[number];

/** Values that one flag takes; `gridProblem` bounds what they make together. */
const MOST_ENTRIES = 32;

/** Parses what follows the word `sweep`. Pure; touches no file. */
export function parseSweepArguments(args: readonly string[]): ParsedSweepArguments {
  try {
    const words = readWords(args);
    return words === "help" ? { kind: "help" } : { kind: "sweep", sweep: readSweep(words) };
  } catch (error) {
    if (error instanceof WrongUsage) return { kind: "wrong", message: error.message };
    throw error;
  }
}

interface Words {
  readonly values: ReadonlyMap<ValueFlag, string>;
  readonly strategies: readonly string[];
  readonly json: boolean;
}

function readWords(args: readonly string[]): Words | "help" {
  const values = new Map<ValueFlag, string>();
  const strategies: string[] = [];
  let json = false;
  for (let place = 0; place < args.length; place += 1) {
    const word = args[place] ?? "";
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const inline = equals < 0 ? undefined : word.slice(equals + 1);
    if (name === "--help" || name === "-h") return "help";
    if (name === "--json") {
      if (inline !== undefined) throw new WrongUsage("--json takes no value.");
      json = true;
    } else if (name === "--strategy") {
      const before = strategies.length;
      if (inline !== undefined) strategies.push(inline);
      else
        while (args[place + 1] !== undefined && !args[place + 1]?.startsWith("--"))
          strategies.push(args[++place] ?? "");
      if (strategies.length === before) throw new WrongUsage("--strategy needs at least one value.");
    } else {
      const flag = VALUE_FLAGS.find((candidate) => candidate === name);
      if (flag === undefined) throw new WrongUsage(unknownWord(name));
      if (values.has(flag)) throw new WrongUsage(`${flag} is given twice.`);
      const value = inline ?? args[++place];
      if (value === undefined || value === "" || (inline === undefined && value.startsWith("--"))) {
        throw new WrongUsage(`${flag} needs a value.`);
      }
      values.set(flag, value);
    }
  }
  return { values, strategies, json };
}

function unknownWord(name: string): string {
  if (!name.startsWith("--")) return `"${name}" is not expected here; every value of sweep follows a flag.`;
  const near = nearestSpelling(name, [...VALUE_FLAGS, "--strategy", "--json", "--help"]);
  return `${name} is not a flag of sweep.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

function readSweep({ values, strategies, json }: Words): SweepArguments {
  const device = values.get("--device") ?? "sim:H200";
  if (!/^sim:.+$/.test(device)) {
    throw new WrongUsage(`--device ${device}: a sweep is simulated, use sim:NAME or sim:FILE.json.`);
  }
  const whole = (flag: ValueFlag, least: number, most: number): number | undefined => {
    const text = values.get(flag);
    return text === undefined ? undefined : wholeNumber(flag, text, least, most);
  };
  const seqLens = wholeNumbers("--seq", values);
  const layers = whole("--layers", RANGES["--layers"].least, RANGES["--layers"].most);
  const worldSize = whole("--world-size", 1, 65_536);
  const sequenceParallel = whole("--sp", 1, 65_536);
  const optimizerBytes = whole("--optimizer-bytes", 0, 64);
  if (sequenceParallel !== undefined && (worldSize ?? 1) % sequenceParallel !== 0) {
    throw new WrongUsage(`--sp ${sequenceParallel}: it must divide --world-size, which is ${worldSize ?? 1}.`);
  }
  const opModelText = values.get("--op-model");
  const opModel = opModelText === undefined ? undefined : readOpModel(opModelText);
  const grid = gridOf(values, strategies);
  requireTokens(seqLens, grid.microBatches);
  const tooLarge = gridProblem(grid, seqLens?.length ?? 1);
  if (tooLarge !== undefined) throw new WrongUsage(describeProblem(tooLarge));
  return {
    model: modelOf(values),
    base: {
      device,
      ...(seqLens === undefined ? {} : { seqLens }),
      ...(layers === undefined ? {} : { layers }),
      ...(worldSize === undefined ? {} : { worldSize }),
      ...(sequenceParallel === undefined ? {} : { sequenceParallel }),
      ...(optimizerBytes === undefined ? {} : { optimizerBytes }),
      ...(opModel === undefined ? {} : { opModel }),
    },
    grid,
    named: [...separated(strategies).filter(isStrategyName), ...(values.has("--patterns") ? grid.patternSets : [])],
    budgetBytes: budgetOf(values.get("--memory-gib")),
    json,
    writePath: values.get("--write"),
  };
}

function gridOf(values: Words["values"], strategies: readonly string[]): SweepGrid {
  const patternSets = entriesOf("--patterns", values.get("--patterns"))?.map(patternSetOf);
  const cacheLimitsGb = entriesOf("--cache-limit-gb", values.get("--cache-limit-gb"))?.map((text) =>
    decimal("--cache-limit-gb", text, 0, RANGES["--cache-limit-gb"].most),
  );
  return {
    checkpointing: checkpointingOf(values.get("--gc")),
    strategies: strategies.length === 0 ? DEFAULT_GRID.strategies : readStrategies(strategies),
    patternSets: patternSets ?? DEFAULT_GRID.patternSets,
    cacheLimitsGb: cacheLimitsGb ?? DEFAULT_GRID.cacheLimitsGb,
    microBatches: wholeNumbers("--micro-batch", values) ?? DEFAULT_GRID.microBatches,
  };
}

function wholeNumbers(flag: "--seq" | "--micro-batch", values: Words["values"]): readonly number[] | undefined {
  const { least, most } = RANGES[flag];
  return entriesOf(flag, values.get(flag))?.map((text) => wholeNumber(flag, text, least, most));
}

function modelOf(values: Words["values"]): ModelSource {
  const directory = values.get("--model");
  const file = values.get("--config-json");
  if (directory !== undefined && file !== undefined) {
    throw new WrongUsage("--model and --config-json exclude each other.");
  }
  if (directory !== undefined) return { kind: "directory", path: directory };
  if (file !== undefined) return { kind: "configJson", path: file };
  throw new WrongUsage("sweep needs a model: --model DIR|ID or --config-json FILE.");
}

function entriesOf(flag: ValueFlag, text: string | undefined): readonly string[] | undefined {
  const entries = text?.split(",").map((part) => part.trim());
  if (entries !== undefined && entries.length > MOST_ENTRIES) {
    throw new WrongUsage(`${flag} takes at most ${MOST_ENTRIES} values.`);
  }
  return entries === undefined ? undefined : [...new Set(entries)];
}

function checkpointingOf(text: string | undefined): SweepGrid["checkpointing"] {
  if (text === undefined) return "both";
  if (text === "on" || text === "off" || text === "both") return text;
  throw new WrongUsage(`--gc ${text}: use on, off or both.`);
}

function patternSetOf(text: string): PatternSet {
  const name = PATTERN_SETS.find((candidate) => candidate === text);
  if (name !== undefined) return name;
  throw new WrongUsage(`--patterns ${text}: use ${PATTERN_SETS.join(", ")}, separated by commas.`);
}

function budgetOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : decimal("--memory-gib", text, 0.001, 1_000_000) * 1024 ** 3;
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUsage(`${flag} ${text}: use a whole number from ${least} to ${most}.`);
}

function decimal(flag: string, text: string, least: number, most: number): number {
  const value = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUsage(`${flag} ${text}: use a number from ${least} to ${most}.`);
}
