import type { MappingEntry } from "../document/configNode.js";
import type { QuickFix } from "../document/diagnostic.js";
import type { Finding, Rule, RuleExample } from "./rule.js";

/** What the frameworks differ in. */
export interface CheckpointingDialect<Context> {
  /** What the framework's files call the offload. */
  readonly offload: string;
  readonly explanation: string;
  readonly example: RuleExample;
  /** The entry that turns checkpointing off in a file that turns the offload on. */
  offBesideOffload(context: Context): MappingEntry | undefined;
  turnOn(context: Context, entry: MappingEntry): readonly QuickFix[];
}

/** Stream-based offload without gradient checkpointing: allowed, but little or nothing moves. */
export function asyncWithoutCheckpointingRule<Context>(dialect: CheckpointingDialect<Context>): Rule<Context> {
  const { explanation, example, offload } = dialect;
  const check = (context: Context): readonly Finding[] => {
    const entry = dialect.offBesideOffload(context);
    if (entry === undefined) return [];
    const message = `Without gradient checkpointing, ${offload} moves layer inputs only; the other activations stay on the device.`;
    return [{ span: entry.span, severity: "information", message, fixes: dialect.turnOn(context, entry) }];
  };
  return { code: "async-without-gc", severities: ["information"], explanation, example, check };
}
