import { commandTable, flagsConflict, given, inGroup, one, several, toggle, type ValuesOf } from "../base/flags.js";
import { succeed } from "../base/outcome.js";
import { anyText, aPath, decimalNumber, oneOf, textOf, wholeNumber } from "../base/valueKinds.js";
import {
  aDevice,
  anOpModel,
  checkpointing,
  checkTokens,
  lengthsFlag,
  MOST_ENTRIES,
  type ModelSource,
  modelChoice,
  modelFlags,
  modelOf,
  RANGES,
  shareFlags,
  shareOf,
  strategiesOf,
  strategyFlag,
} from "./engineFlags.js";
import { opModelHelp } from "./opModels.js";
import type { ProfileRequest } from "./request.js";
import { wholeStepFlags, wholeStepOf } from "./wholeStep.js";

/** What the user asked the engine for; absent members take their default later. */
export type ProfileSettings = Omit<ProfileRequest, "configJson">;

/** A well-formed command line of `profile`. Paths are as written. */
export interface ProfileArguments {
  readonly model: ModelSource;
  readonly configPath: string | undefined;
  readonly json: boolean;
  /** What every single key of the config would do is simulated too. */
  readonly levers: boolean;
  readonly settings: ProfileSettings;
}

const runFlags = inGroup("What runs", {
  "--config": one(
    "FILE",
    aPath,
    "config of a job: its strategy, patterns, cache limit and checkpointing become the defaults, and its tokens, micro-batch, ranks, head and optimizer",
  ),
  "--device": one("D", aDevice, `${aDevice.what} (default auto: the first GPU that can be used, else the CPU)`),
  "--strategy": strategyFlag("none and the config's"),
  "--gc": one("on|off|both", checkpointing, "gradient checkpointing (default the config's, else on)"),
  "--seq": lengthsFlag(MOST_ENTRIES, `that of --config, else 2048, on the CPU 256; at most ${RANGES.seq.most}`),
  "--micro-batch": one("N", wholeNumber(RANGES.microBatch), "sequences per step (default that of --config, else 1)"),
  ...shareFlags,
  "--op-model": one("NAME", anOpModel, opModelHelp(false)),
  "--pattern": several("P", anyText, "activation_offload_modules (default the config's, else all decoder layers)", {
    most: MOST_ENTRIES,
  }),
  "--cache-limit-gb": one(
    "X",
    decimalNumber(RANGES.cacheLimitGb),
    "limit of the idle host pool in GiB, 0 keeps nothing (default the config's, else 4)",
  ),
  "--double-buffer-key": one(
    "layout|original",
    oneOf(["layout", "original"]),
    "which saved tensors verl_double_buffer copies once: those of the same storage, shape and strides, or by verl's own key, which mixes up layouts (default layout)",
  ),
  "--steps": one(
    "N",
    wholeNumber(RANGES.steps),
    "all steps; the first two are warm-up, one if N <= 3, none if N = 1 (default 5; a GPU takes more until the median is stable to 0.5 %, at most 50 or 20 s of them)",
  ),
  "--poison": toggle(
    "overwrite free device and host memory, so that a missing wait changes the gradients; times then say nothing",
  ),
});

const stepFlags = inGroup(
  "The whole step, simulated; on the CPU the heads hf_eager and veomni_eager and the optimizer too",
  wholeStepFlags,
);

const resultFlags = inGroup("Result", {
  "--levers": toggle(
    "with --config and on a simulated device: which single keys of the config would lower the peak, each simulated, best first",
  ),
  "--out": one(
    "FILE.offload",
    // The editor knows a saved profile by the end of its name.
    textOf("a name that ends in .offload", /\.offload$/i),
    "save result and timeline; the editor opens it",
  ),
  "--json": toggle("print the result as JSON (schema offload-profile/1)"),
});

/** The command line of `profile` (headless interface, `offload-lens profile`). */
export const profileTable = commandTable({
  name: "profile",
  summary: "run the offload engine and measure",
  flags: { ...modelFlags, ...runFlags, ...stepFlags, ...resultFlags },
  choices: [modelChoice],
  exits: { 1: "the run failed or was cancelled" },
  read({ flags }) {
    const tokens = checkTokens(flags["--seq"], flags["--micro-batch"] === undefined ? [] : [flags["--micro-batch"]]);
    if (!tokens.ok) return tokens;
    if (flags["--levers"] && flags["--config"] === undefined) {
      return flagsConflict("--levers changes keys of a config, and none is given.", "Give one with --config.");
    }
    if (flags["--levers"] && flags["--device"]?.startsWith("sim:") !== true) {
      return flagsConflict("--levers simulates, and the device is none that is simulated.", "Add --device sim:H200.");
    }
    const profile: ProfileArguments = {
      model: modelOf(flags),
      configPath: flags["--config"],
      json: flags["--json"],
      levers: flags["--levers"],
      settings: { ...settingsOf(flags), ...wholeStepOf(flags), ...given("outPath", flags["--out"]) },
    };
    return succeed(profile);
  },
});

function settingsOf(flags: ValuesOf<typeof runFlags>): ProfileSettings {
  const strategies = flags["--strategy"];
  return {
    ...given("device", flags["--device"]),
    ...given("strategies", strategies === undefined ? undefined : strategiesOf(strategies)),
    ...given("gradientCheckpointing", flags["--gc"]),
    ...given("seqLens", flags["--seq"]),
    ...given("microBatch", flags["--micro-batch"]),
    ...shareOf(flags),
    ...given("patterns", flags["--pattern"]),
    ...given("cacheLimitGb", flags["--cache-limit-gb"]),
    ...given("doubleBufferKey", flags["--double-buffer-key"]),
    ...given("opModel", flags["--op-model"]),
    ...(flags["--poison"] ? { poison: true } : {}),
    ...given("steps", flags["--steps"]),
  };
}
