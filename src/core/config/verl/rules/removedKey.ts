import { entryOf, scalarOf } from "../../document/configNode.js";
import type { QuickFix } from "../../document/diagnostic.js";
import { type NewEntry, removeFix, replaceEntry, setValue } from "../../document/edits.js";
import { switchStateOf } from "../../document/switchState.js";
import { followsVerlFormat } from "../../document/verlFormat.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { verlEngineField } from "../fields/verlEngine.js";
import { tableOf, type WrittenField, writtenFields } from "../writtenFields.js";
import { modelSwitch } from "./modelSwitch.js";
import { refusedKey } from "./refusedKey.js";

/** A key that verl dropped: `activation_gpu_limit`. */
export const removedKey: BlockRule = {
  code: "removed-key",
  severities: ["error"],
  explanation:
    "verl #7724 replaced the synchronous offload and its GPU limit by stream-based offload. The key now fails in the dataclass constructor. There is no GPU limit any more; the host cache limit is another quantity.",
  example: engineExample("activation_gpu_limit: 0.5"),
  check: (context) => writtenFields(context.block).flatMap((written) => findingFor(context, written)),
};

function findingFor(context: BlockContext, written: WrittenField): readonly Finding[] {
  const removed = tableOf(context.block).removed(written.path);
  if (removed === undefined) return [];
  return [
    refusedKey(context, written.entry, {
      span: written.entry.keySpan,
      severity: "error",
      message: `${written.path} was removed by ${removed.removed}, so building the engine config fails. Activation offload is now enable_async_activation_offload; there is no GPU limit any more.`,
      fixes: fixesFor(context, written),
    }),
  ];
}

function fixesFor(context: BlockContext, written: WrittenField): readonly QuickFix[] {
  const remove = removeFix(`Remove ${written.path}`, context, written.container, written.entry);
  const replacement = replaceByNewKeys(context, written);
  if (replacement === undefined) return remove;
  return wasInUse(context, written) ? [replacement, ...remove] : [...remove, replacement];
}

/** The old key had an effect only with the synchronous switch; without that in the file, a limit above 0 speaks for it. */
function wasInUse(context: BlockContext, written: WrittenField): boolean {
  const state = switchStateOf(modelSwitch(context, "enable_activation_offload"));
  if (state !== "absent") return state === "on";
  const limit = scalarOf(written.entry.value);
  return (limit?.type === "int" || limit?.type === "float") && limit.value !== 0;
}

function replaceByNewKeys(context: BlockContext, written: WrittenField): QuickFix | undefined {
  const missing = newEntries().filter((entry) => entryOf(written.container, entry.key) === undefined);
  if (missing.length === 0 || context.writer !== undefined) return undefined;
  const { text } = context.document;
  const swap = replaceEntry(text, written.container, written.entry, missing, followsVerlFormat(context.path));
  if (swap === undefined) return undefined;
  const oldSwitch = modelSwitch(context, "enable_activation_offload");
  const turnsOff =
    oldSwitch !== undefined && switchStateOf(oldSwitch) === "on" ? [setValue(text, oldSwitch, "false")] : [];
  return { title: `Replace by ${missing.map((entry) => entry.key).join(", ")}`, edits: [swap, ...turnsOff] };
}

function newEntries(): readonly NewEntry[] {
  const values = [
    ["enable_async_activation_offload", "true"],
    ["activation_offload_modules", "[]"],
    ["activation_offload_host_cache_limit_gb", "4.0"],
  ] as const;
  return values.map(([key, valueText]) => ({ key, valueText, comment: verlEngineField(key)?.description ?? key }));
}
