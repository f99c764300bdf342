import { entryOf } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { removeFix, replaceFix } from "../../document/edits.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { tableOf, type WrittenField, writtenFields } from "../writtenFields.js";
import { refusedKey } from "./refusedKey.js";

/** The spelling of another engine, of VeOmni itself, or of an older verl. */
export const foreignKey: BlockRule = {
  code: "foreign-key",
  severities: ["error"],
  explanation:
    "The same switch has other names in VeOmni, in verl's FSDP engine and in older versions. The dataclass of this block refuses them all.",
  example: engineExample("enable_async_activation: true"),
  check: (context) => writtenFields(context.block).flatMap((written) => findingFor(context, written)),
};

function findingFor(context: BlockContext, written: WrittenField): readonly Finding[] {
  const table = tableOf(context.block);
  const foreign = table.foreign(written.path);
  if (foreign === undefined || written.field !== undefined) return [];
  const advice =
    foreign.replacement === undefined ? "It has no counterpart here." : `Here it is ${foreign.replacement}.`;
  return [
    refusedKey(context, written.entry, {
      span: written.entry.keySpan,
      severity: "error",
      message: `${table.owner} has no key ${written.path}, so building its config fails. ${foreign.note} ${advice}`,
      fixes: [
        ...renameFixes(written, foreign.replacement),
        ...removeFix(`Remove ${written.path}`, context, written.container, written.entry),
      ],
    }),
  ];
}

function renameFixes(written: WrittenField, replacement: string | undefined): readonly QuickFix[] {
  if (replacement === undefined || entryOf(written.container, replacement) !== undefined) return [];
  return [replaceFix(`Rename to ${replacement}`, written.entry.keySpan, replacement)];
}
