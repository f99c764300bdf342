import { fail, type Outcome, type Problem, succeed } from "../base/outcome.js";
import type { ProfileSettings } from "./profileArguments.js";
import { ASYNC_OFFLOAD, DEFAULT_STRATEGIES, NO_OFFLOAD, type StrategyName } from "./strategies.js";

/** What a config says about offload in one engine block; the reader of configs gives at least these members. */
export interface OffloadChoice {
  /** Path of the engine block, e.g. `actor_rollout_ref.actor.veomni`; empty for a file that is the block. */
  readonly blockPath: string;
  readonly enabled: boolean | undefined;
  /** A string where plain text was written instead of a list; the framework then reads it letter by letter. */
  readonly patterns: readonly string[] | string | undefined;
  /** Something else than texts was written there. */
  readonly patternsNotTexts?: true;
  readonly cacheLimitGb?: number | undefined;
  /** Sequences per micro-batch, where the config fixes them. */
  readonly microBatch?: number | undefined;
  readonly gradientCheckpointing?: boolean | undefined;
}

/** Settings with the config's part filled in, and what the user should know about how. */
export interface ResolvedSettings {
  readonly settings: ProfileSettings;
  readonly notes: readonly string[];
}

/**
 * Fills what the user left open. Without a config: `none` and `veomni_async`, checkpointing on. With one: `none` and the
 * config's strategy, its checkpointing, patterns, cache limit and micro-batch. Given settings always win.
 * Of several engine blocks the first with async offload on counts, else the first.
 */
export function resolveSettings(
  given: ProfileSettings,
  choices: readonly OffloadChoice[] | undefined,
): Outcome<ResolvedSettings> {
  const choice = choices?.find((candidate) => candidate.enabled === true) ?? choices?.[0];
  if (choice === undefined) {
    return succeed({ settings: { ...given, ...defaults(given, DEFAULT_STRATEGIES, true) }, notes: [] });
  }
  const patterns = given.patterns ?? choice.patterns;
  if (typeof patterns === "string") return fail(patternsNotList(choice.blockPath));
  if (given.patterns === undefined && choice.patternsNotTexts === true) {
    return fail(patternsNotTexts(choice.blockPath));
  }
  const offloads = choice.enabled === true;
  const strategies: readonly StrategyName[] = offloads ? [NO_OFFLOAD, ASYNC_OFFLOAD] : [NO_OFFLOAD];
  const cacheLimitGb = given.cacheLimitGb ?? choice.cacheLimitGb;
  const microBatch = given.microBatch ?? choice.microBatch;
  return succeed({
    settings: {
      ...given,
      ...defaults(given, strategies, choice.gradientCheckpointing ?? true),
      ...(patterns === undefined ? {} : { patterns }),
      ...(cacheLimitGb === undefined ? {} : { cacheLimitGb }),
      ...(microBatch === undefined ? {} : { microBatch }),
    },
    notes: notesOn(given, choice, choices?.length ?? 0),
  });
}

function defaults(given: ProfileSettings, strategies: readonly StrategyName[], checkpointing: boolean) {
  const fromConfig = checkpointing ? "on" : "off";
  return {
    strategies: given.strategies ?? strategies,
    gradientCheckpointing: given.gradientCheckpointing ?? fromConfig,
  } as const;
}

function notesOn(given: ProfileSettings, choice: OffloadChoice, blocks: number): readonly string[] {
  const notes: string[] = [];
  if (blocks > 1) notes.push(`The config has ${blocks} engine blocks; this profiles ${choice.blockPath}.`);
  if (choice.enabled !== true && given.strategies === undefined) {
    notes.push("Async offload is off in this config, so only `none` is run; add --strategy to compare.");
  }
  return notes;
}

/** The pattern list of a config holds what no pattern can be; `offload-lens check` says what and where. */
export function patternsNotTexts(blockPath: string): Problem {
  const where = blockPath === "" ? "" : ` in ${blockPath}`;
  return {
    code: "CONFIG_PATTERNS_NOT_LIST",
    message: `activation_offload_modules${where} is not a list of texts.`,
    cause: "The framework fails there, or takes something else than was written.",
    nextStep: "Write it as a list with one pattern per line; `offload-lens check` shows the place.",
  };
}

function patternsNotList(blockPath: string) {
  const where = blockPath === "" ? "" : ` in ${blockPath}`;
  return {
    code: "CONFIG_PATTERNS_NOT_LIST",
    message: `activation_offload_modules${where} is text, not a list.`,
    cause: "The framework reads such a text letter by letter, so it selects other modules than written.",
    nextStep: "Write it as a list with one pattern per line.",
  };
}
