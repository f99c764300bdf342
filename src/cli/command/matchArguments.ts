import {
  commandTable,
  flagsConflict,
  given,
  inGroup,
  one,
  several,
  toggle,
  type ValuesOf,
  withDefault,
} from "../../core/base/flags.js";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { anyText, aPath, decimalNumber, oneOf, wholeNumber } from "../../core/base/valueKinds.js";
import { defaultWorkload, type EstimateWorkload } from "../../core/modules/estimate/estimateWorkload.js";

/** What `match` was asked to do. */
export interface MatchRequest {
  readonly model: string | undefined;
  readonly configJson: string | undefined;
  readonly tree: string | undefined;
  /** Interpreter in which the model of `model` or `configJson` is built. */
  readonly python: string | undefined;
  readonly timeLimitSeconds: number;
  readonly lora: boolean;
  /** Patterns given on the command line; `[]` is the automatic mode, `undefined` means those of `config`. */
  readonly patterns: readonly string[] | undefined;
  readonly config: string | undefined;
  readonly json: boolean;
  readonly explain: boolean;
  /** The members that were given. */
  readonly workload: Partial<EstimateWorkload>;
}

const sourceFlags = inGroup(
  "Source, one of the first three; may be left out with --config, whose model path then counts",
  {
    "--model": one(
      "DIR|ID",
      aPath,
      "checkpoint directory, or a model id that the Hugging Face cache or the catalogue has; no network is used",
    ),
    "--config-json": one("FILE", aPath, "the config.json alone"),
    "--tree": one("FILE", aPath, "a module tree that the dump script wrote, plain or .gz"),
    "--python": one(
      "PATH",
      aPath,
      "build the model in this interpreter instead (with --model or --config-json): exact names and classes",
    ),
    "--time-limit": withDefault(one("S", wholeNumber({ least: 1, most: 86_400 }), "seconds that this may take"), 300),
    "--lora": toggle("the model is wrapped for LoRA: names begin with base_model.model."),
  },
);

const patternFlags = inGroup("Patterns, one of these", {
  "--pattern": several("P", anyText, "the list, in order", { most: Number.POSITIVE_INFINITY }),
  "--auto": toggle("the empty list: modules by the class names in _no_split_modules"),
  "--config": one("FILE", aPath, "the list of a configuration"),
});

const explainFlags = inGroup("With --explain", {
  "--seq": one(
    "N",
    wholeNumber({ least: 1, most: 2 ** 24 }),
    `tokens per row of one GPU (default that of --config, else ${defaultWorkload.seqLen})`,
  ),
  "--micro-batch": one(
    "N",
    wholeNumber({ least: 1, most: 2 ** 20 }),
    `sequences per step (default that of --config, else ${defaultWorkload.microBatch})`,
  ),
  "--gc": one("on|off", oneOf(["on", "off"]), "gradient checkpointing (default that of --config, else on)"),
  "--cache-limit-gb": one(
    "X",
    decimalNumber({ least: 0, most: 2 ** 23 }),
    `limit of the idle host pool in GiB (default that of --config, else ${defaultWorkload.cacheLimitGb})`,
  ),
});

const resultFlags = inGroup("Result", {
  "--explain": toggle(
    "why each pattern matches what it does, what the selection does in a step, what the source cannot know",
  ),
  "--json": toggle("the result as JSON on stdout"),
});

const sources = ["--model", "--config-json", "--tree"] as const;

/** The command line of `match`. */
export const matchTable = commandTable({
  name: "match",
  summary: "preview which modules a pattern list selects",
  about: "Shows which modules activation_offload_modules selects on a model, as the framework will, and why.",
  flags: { ...sourceFlags, ...patternFlags, ...resultFlags, ...explainFlags },
  choices: [{ of: sources }, { of: ["--pattern", "--auto", "--config"], needed: "patterns" }],
  exits: { 0: "something is selected", 1: "the framework would refuse the list or the source cannot be read" },
  read({ flags }): Outcome<MatchRequest> {
    const { "--config": config, "--tree": tree, "--python": python, "--explain": explain } = flags;
    if (config === undefined && sources.every((name) => flags[name] === undefined)) {
      const message = "match needs a model.";
      return fail({
        code: "ARGUMENT_MISSING",
        message,
        nextStep: "Give --model DIR|ID, --config-json FILE or --tree FILE.",
      });
    }
    if (python !== undefined && tree !== undefined) {
      return flagsConflict("--python builds a model; it does not go with --tree.", "Leave one of them out.");
    }
    const unused = workloadFlags.find((name) => flags[name] !== undefined);
    if (unused !== undefined && !explain) {
      return flagsConflict(`${unused} changes only what --explain says.`, "Add --explain, or leave it out.");
    }
    return succeed({
      model: flags["--model"],
      configJson: flags["--config-json"],
      tree,
      python,
      timeLimitSeconds: flags["--time-limit"],
      lora: flags["--lora"],
      patterns: config === undefined ? (flags["--pattern"] ?? []) : undefined,
      config,
      json: flags["--json"],
      explain,
      workload: workloadOf(flags),
    });
  },
});

const workloadFlags = ["--seq", "--micro-batch", "--gc", "--cache-limit-gb"] as const;

function workloadOf(flags: ValuesOf<typeof explainFlags>): Partial<EstimateWorkload> {
  const checkpointing = flags["--gc"];
  return {
    ...given("seqLen", flags["--seq"]),
    ...given("microBatch", flags["--micro-batch"]),
    ...given("gradientCheckpointing", checkpointing === undefined ? undefined : checkpointing === "on"),
    ...given("cacheLimitGb", flags["--cache-limit-gb"]),
  };
}
