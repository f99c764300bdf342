import table from "./strategies.json" with { type: "json" };

/** A strategy that the engine runs: a row of the engine's own table, which `npm run derive` writes to strategies.json. */
export type StrategyName = keyof typeof table;

/** What is known about a strategy beside its name. */
export interface StrategyTraits {
  /** Whose it is; empty for the one that does nothing. */
  readonly framework: string;
  /** In a few words: what it moves, and who waits. */
  readonly description: string;
  /** Where nobody names a strategy. */
  readonly runsByDefault: boolean;
  /** Takes `activation_offload_modules` and the limit of the host pool. */
  readonly selectsModules: boolean;
  /** Takes `doubleBufferKey`. */
  readonly hasCopyKey: boolean;
  /** With fewer layers its framework leaves offload off. */
  readonly leastLayers: number;
  /** Of a plot: `foreground`, or a name of the editor's chart colours. */
  readonly colour: string;
  /** Of a plot: a name of its shapes. */
  readonly mark: string;
}

export const STRATEGIES: Readonly<Record<StrategyName, StrategyTraits>> = table;

export function isStrategyName(text: string): text is StrategyName {
  return Object.hasOwn(table, text);
}

/** In the order in which lists show them. */
export const STRATEGY_NAMES: readonly StrategyName[] = Object.keys(table).filter(isStrategyName);

/** Those that run where nobody names any. */
export const DEFAULT_STRATEGIES: readonly StrategyName[] = STRATEGY_NAMES.filter(
  (name) => STRATEGIES[name].runsByDefault,
);

/** Keeps everything on the device; the others are compared with it. */
export const NO_OFFLOAD = "none" satisfies StrategyName;

/** What `enable_async_activation_offload` of a configuration turns on. */
export const ASYNC_OFFLOAD = "veomni_async" satisfies StrategyName;

/** What it does, in a few words. */
export function describeStrategy(name: StrategyName): string {
  const { framework, description } = STRATEGIES[name];
  return framework === "" ? description : `${framework}: ${description}`;
}
