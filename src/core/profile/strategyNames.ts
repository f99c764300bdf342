import type { StrategyName } from "./result.js";

/** Strategies that the engine runs, in the order in which lists show them. */
export const STRATEGY_NAMES: readonly StrategyName[] = [
  "none",
  "veomni_async",
  "verl_sync",
  "verl_double_buffer",
  "save_on_cpu",
];

/** What each does, in a few words. */
export const STRATEGY_DESCRIPTIONS: Readonly<Record<StrategyName, string>> = {
  none: "keeps everything on the device",
  veomni_async: "VeOmni: layer inputs on a swap stream, behind compute",
  verl_sync: "verl: everything that a layer saves, on the compute stream",
  verl_double_buffer: "verl: everything that a layer saves, at most two layers on the device",
  save_on_cpu: "PyTorch: every saved tensor, the host waits for each",
};

export function isStrategyName(text: string): text is StrategyName {
  return STRATEGY_NAMES.some((name) => name === text);
}
