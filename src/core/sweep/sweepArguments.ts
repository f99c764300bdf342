import {
  commandTable,
  flagsConflict,
  given,
  inGroup,
  listed,
  one,
  toggle,
  type ValuesOf,
  withDefault,
} from "../base/flags.js";
import { fail, succeed } from "../base/outcome.js";
import {
  aPath,
  type Bounds,
  decimalNumber,
  gibibytes,
  listOf,
  oneOf,
  textOf,
  type ValueKind,
  wholeNumber,
} from "../base/valueKinds.js";
import { DEVICE_CHOICES } from "../profile/deviceChoices.js";
import {
  anOpModel,
  checkpointing,
  checkTokens,
  lengthsFlag,
  type ModelSource,
  modelChoice,
  modelFlags,
  modelOf,
  RANGES,
  shareFlags,
  shareOf,
  strategiesOf,
  strategyFlag,
} from "../profile/engineFlags.js";
import { opModelHelp } from "../profile/opModels.js";
import { isStrategyName, STRATEGIES, STRATEGY_NAMES, type StrategyName } from "../profile/strategies.js";
import { wholeStepFlags, wholeStepOf } from "../profile/wholeStep.js";
import {
  DEFAULT_GRID,
  gridProblem,
  MOST_SIMULATED_STEPS,
  PATTERN_SETS,
  type PatternSet,
  type SweepBase,
  type SweepGrid,
} from "./grid.js";

/** A well-formed command line of `sweep`. Paths are as written. */
export interface SweepArguments {
  readonly model: ModelSource;
  /** A config whose job is simulated. */
  readonly configPath: string | undefined;
  readonly base: Omit<SweepBase, "configJson">;
  readonly grid: SweepGrid;
  /** `--micro-batch` was given. */
  readonly hasMicroBatches: boolean;
  /** Strategies and pattern sets that the user wrote by name. */
  readonly named: readonly (StrategyName | PatternSet)[];
  readonly budgetBytes: number | undefined;
  readonly json: boolean;
  /** What every single key of the config would do is simulated too. */
  readonly levers: boolean;
  readonly writePath: string | undefined;
}

/** Values that one flag takes; `gridProblem` bounds what they make together. */
const MOST_ENTRIES = 32;

const simulated = DEVICE_CHOICES.map(({ device }) => device).filter((device) => device.startsWith("sim:"));

const selecting = STRATEGY_NAMES.filter((name) => STRATEGIES[name].selectsModules);

const numbers = (kind: (bounds: Bounds) => ValueKind<number>, bounds: Bounds, help: string, name = "N") =>
  listed(name, kind(bounds), help, MOST_ENTRIES);

const baseFlags = inGroup("What all points share", {
  "--config": one(
    "FILE",
    aPath,
    "config whose step is simulated: its tokens, micro-batch, ranks, head and optimizer; flags win",
  ),
  "--device": withDefault(
    one(
      "sim:NAME",
      textOf("sim:NAME or sim:FILE.json, because a sweep is simulated", /^sim:.+$/),
      `simulated device: ${simulated.join(", ")}, or sim:FILE.json for a profile that a calibration wrote`,
    ),
    "sim:H200",
  ),
  "--seq": lengthsFlag(MOST_ENTRIES, "that of --config, else 2048"),
  ...shareFlags,
  "--op-model": one("NAME", anOpModel, opModelHelp(true)),
});

const stepFlags = inGroup("The whole step", wholeStepFlags);

const gridFlags = inGroup("What is tried", {
  "--micro-batch": numbers(wholeNumber, RANGES.microBatch, "sequences per step (default that of --config, else 1)"),
  "--gc": withDefault(one("on|off|both", checkpointing, "gradient checkpointing"), DEFAULT_GRID.checkpointing),
  "--strategy": strategyFlag("all"),
  "--patterns": listed(
    "P",
    oneOf(PATTERN_SETS),
    `layers that ${selecting.join(" and ")} takes: all, second (every second), half (the first half); default all three`,
    MOST_ENTRIES,
  ),
  "--cache-limit-gb": numbers(
    decimalNumber,
    RANGES.cacheLimitGb,
    `limits of the idle host pool in GiB (default ${listOf(DEFAULT_GRID.cacheLimitsGb.map(String), "and")})`,
    "X",
  ),
  "--memory-gib": one(
    "X",
    gibibytes,
    "memory budget per device (default the device's own); with --config also the largest micro-batch, the longest sequence and the fewest ranks that fit",
  ),
});

const resultFlags = inGroup("Result", {
  "--levers": toggle("with --config: which single keys of the config would lower the peak, each simulated, best first"),
  "--write": one("FILE", aPath, "write the choice into the VeOmni block of a YAML config"),
  "--json": toggle("print the result as JSON (schema offload-sweep/1)"),
});

/** The command line of `sweep`. */
export const sweepTable = commandTable({
  name: "sweep",
  summary: "simulate a grid of settings and say which to choose",
  flags: { ...modelFlags, ...baseFlags, ...stepFlags, ...gridFlags, ...resultFlags },
  choices: [modelChoice],
  notes: `
At most ${MOST_SIMULATED_STEPS} steps are simulated in all: three for each point of the grid, more where lengths take turns.
What does not apply to the model is left out and named; what you named yourself is then an error.
Every time is simulated and carries a range; bytes and counters are exact for models that the engine knows.`,
  exits: { 1: "the sweep failed" },
  read({ flags }) {
    const seqLens = once(flags["--seq"]);
    const { "--sp": sequenceParallel = 1, "--world-size": worldSize = 1 } = flags;
    if (worldSize % sequenceParallel !== 0) {
      const message = `--sp ${sequenceParallel} does not divide --world-size, which is ${worldSize}.`;
      return flagsConflict(message, "Choose one that does.");
    }
    if (flags["--levers"] && flags["--config"] === undefined) {
      return flagsConflict("--levers changes keys of a config, and none is given.", "Give one with --config.");
    }
    const grid = gridOf(flags);
    const tokens = checkTokens(seqLens, grid.microBatches);
    if (!tokens.ok) return tokens;
    const tooLarge = gridProblem(grid, seqLens?.length ?? 1);
    if (tooLarge !== undefined) return fail(tooLarge);
    const budgetGib = flags["--memory-gib"];
    const sweep: SweepArguments = {
      model: modelOf(flags),
      configPath: flags["--config"],
      base: {
        device: flags["--device"],
        ...given("seqLens", seqLens),
        ...shareOf(flags),
        ...wholeStepOf(flags),
        ...given("opModel", flags["--op-model"]),
      },
      grid,
      hasMicroBatches: flags["--micro-batch"] !== undefined,
      named: [...(flags["--strategy"] ?? []).filter(isStrategyName), ...(once(flags["--patterns"]) ?? [])],
      budgetBytes: budgetGib === undefined ? undefined : budgetGib * 1024 ** 3,
      json: flags["--json"],
      levers: flags["--levers"],
      writePath: flags["--write"],
    };
    return succeed(sweep);
  },
});

function gridOf(flags: ValuesOf<typeof gridFlags>): SweepGrid {
  const strategies = flags["--strategy"];
  return {
    checkpointing: flags["--gc"],
    strategies: strategies === undefined ? DEFAULT_GRID.strategies : strategiesOf(strategies),
    patternSets: once(flags["--patterns"]) ?? DEFAULT_GRID.patternSets,
    cacheLimitsGb: once(flags["--cache-limit-gb"]) ?? DEFAULT_GRID.cacheLimitsGb,
    microBatches: once(flags["--micro-batch"]) ?? DEFAULT_GRID.microBatches,
  };
}

function once<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values === undefined ? undefined : [...new Set(values)];
}
