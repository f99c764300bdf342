import { shownWord } from "../../../base/shownWord.js";
import { nearestSpelling } from "../../../base/spelling.js";
import { entryOf, textOf } from "../../document/configNode.js";
import type { QuickFix, Severity } from "../../document/diagnostic.js";
import { removeFix, replaceFix } from "../../document/edits.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { isHydraKey } from "../fields/verlEngine.js";
import { homeOf } from "../fields/verlHomes.js";
import { tableOf, type WrittenField, writtenFields } from "../writtenFields.js";
import { refusedKey } from "./refusedKey.js";

const maxReported = 1_000;

/** A key that the engine's dataclass does not have, with the nearest one that it has. */
export const unknownKey: BlockRule = {
  code: "unknown-key",
  severities: ["error", "warning", "information"],
  explanation:
    "Hydra passes every key of the block to the constructor of the dataclass, and an unknown one is an unexpected argument: the trainer stops at start-up. Certain is only what lies near a key that exists; another one may belong to a later verl.",
  example: engineExample("parm_offload: true"),
  check: (context) =>
    writtenFields(context.block)
      .filter((written) => isUnknown(context, written))
      .slice(0, maxReported)
      .map((written) => refusedKey(context, written.entry, findingFor(context, written))),
};

function isUnknown({ block }: BlockContext, written: WrittenField): boolean {
  if (written.field !== undefined || isHydraKey(written.entry.key)) return false;
  const table = tableOf(block);
  if (table.foreign(written.path) !== undefined || table.removed(written.path) !== undefined) return false;
  return homeOf(block, written.path) === undefined;
}

function findingFor(context: BlockContext, written: WrittenField): Finding {
  const name = written.entry.key;
  const prefix = written.path.slice(0, Math.max(0, written.path.length - name.length - 1));
  const table = tableOf(context.block);
  const nearest = nearestSpelling(name, table.keysUnder(prefix));
  const span = written.entry.keySpan;
  const severity = severityOf(context, nearest !== undefined);
  if (nearest === undefined) {
    const message = `${shownWord(written.path)} is not a key of ${table.owner} as of ${recordedOn}; without it, building the config fails.`;
    return { span, severity, message };
  }
  return {
    span,
    severity,
    message: `${table.owner} has no key ${shownWord(written.path)}, so building its config fails. Did you mean ${nearest}?`,
    fixes: [...renameFixes(written, nearest), ...removeFixes(context, written)],
  };
}

/** The verl snapshot that the tables were read from, and the changes after it that they hold. */
const recordedOn = "verl 0.10.0.dev (2026-08-22, and verl #7724)";

/** A class of the user's own may take keys that we do not know. */
function severityOf(context: BlockContext, isNear: boolean): Severity {
  const target = textOf(entryOf(context.block.mapping, "_target_")?.value);
  const known = tableOf(context.block).field("_target_")?.allowed?.values ?? [];
  return target === undefined || known.includes(target) ? (isNear ? "error" : "warning") : "information";
}

function renameFixes(written: WrittenField, nearest: string): readonly QuickFix[] {
  if (entryOf(written.container, nearest) !== undefined) return [];
  return [replaceFix(`Rename to ${nearest}`, written.entry.keySpan, nearest)];
}

function removeFixes(context: BlockContext, written: WrittenField): readonly QuickFix[] {
  return removeFix(`Remove ${shownWord(written.entry.key)}`, context, written.container, written.entry);
}
