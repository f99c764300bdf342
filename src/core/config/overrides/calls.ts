import { type Expectation, type Override, readOverrides } from "../shell/overrides.js";
import { verlEngineTable } from "../verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../verl/fields/verlOptimizer.js";

/** True for files whose text is read for command lines. */
export function holdsOverrides(path: string): boolean {
  return /\.(?:sh|bash|md|markdown)$|(?:^|[\\/])\.hydra[\\/]overrides\.ya?ml$/i.test(path);
}

/** The command lines of a script, of the shell blocks of a Markdown file or of `.hydra/overrides.yaml`, read once. */
export interface CommandFile {
  readonly form: "commands";
  readonly path: string;
  readonly text: string;
  /** What is handed to verl's VeOmni engine or to VeOmni, call by call, in text order; no call is empty. */
  readonly calls: readonly (readonly Override[])[];
}

/** Reads the command lines of a file; `undefined` where none configures verl's VeOmni engine or VeOmni. Never throws. */
export function readCommands(path: string, text: string): CommandFile | undefined {
  const calls = byCall(readOverrides(path, text, expectation));
  return calls.length === 0 ? undefined : { form: "commands", path, text, calls };
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
