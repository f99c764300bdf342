import { type Expectation, type Override, readOverrides } from "../shell/overrides.js";
import { verlEngineTable } from "../verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../verl/fields/verlOptimizer.js";

/** True for files whose text is read for command lines. */
export function holdsOverrides(path: string): boolean {
  return /\.(?:sh|bash|md|markdown)$|(?:^|[\\/])\.hydra[\\/]overrides\.ya?ml$/i.test(path);
}

/** The settings that a file hands to verl's VeOmni engine or to VeOmni, call by call, in text order; no call is empty. */
export function readCalls(path: string, text: string): readonly (readonly Override[])[] {
  return byCall(readOverrides(path, text, expectation));
}

/** What a key of verl takes, by its table. */
function expectation(dialect: "verl" | "veomni", keyPath: string): Expectation | undefined {
  if (dialect !== "verl") return undefined;
  const key = /(?:^|\.)(?:veomni|engine)\.(.+)$/.exec(keyPath)?.[1];
  const optimizerKey = /(?:^|\.)optim\.(.+)$/.exec(keyPath)?.[1];
  const type =
    key !== undefined
      ? verlEngineTable.field(key)?.type
      : optimizerKey === undefined
        ? switchType(keyPath)
        : verlOptimizerTable.field(optimizerKey)?.type;
  if (type === undefined) return undefined;
  return type.startsWith("list") ? "list" : type === "bool" ? "bool" : "other";
}

function switchType(keyPath: string): "bool" | undefined {
  return /(?:^|\.)(?:enable_|use_)\w+$/.test(keyPath) ? "bool" : undefined;
}

function byCall(overrides: readonly Override[]): readonly (readonly Override[])[] {
  const calls = new Map<number, Override[]>();
  for (const override of overrides) {
    const call = calls.get(override.call);
    if (call === undefined) calls.set(override.call, [override]);
    else call.push(override);
  }
  return [...calls.values()];
}
