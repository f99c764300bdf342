import type { MappingEntry } from "../configNode.js";
import type { QuickFix } from "../diagnostic.js";
import { addEntriesAfter, type NewEntry, removeFix, replaceFix, setValue } from "../edits.js";
import { verlEngineField } from "../fields/verlEngine.js";
import { runsForwardOnly } from "../offloadSwitch.js";
import { followsVerlFormat } from "../verlFormat.js";
import { type WrittenField, writtenField } from "../writtenFields.js";
import type { BlockContext } from "./rule.js";

/** Sets the value of an entry of this file; nothing when an alias or a merge key shares the value with other places. */
export function setFix(
  title: string,
  context: BlockContext,
  entry: MappingEntry,
  valueText: string,
): readonly QuickFix[] {
  if (entry.value.kind === "alias") return [];
  const edit = setValue(context.document.text, entry, valueText);
  return [replaceFix(title, edit.span, edit.newText)];
}

/** Ways out for a key that only counts with the switch on: turn it on, unless that makes no sense here, or remove the key. */
export function unusedKeyFixes(context: BlockContext, written: WrittenField): readonly QuickFix[] {
  const remove = removeFix(`Remove ${written.key}`, context, written.container, written.entry);
  return runsForwardOnly(context.block) ? remove : [...turnAsyncOnFix(context, written), ...remove];
}

/** Turns `enable_async_activation_offload` on: sets it where it stands, else adds it behind `anchor`. */
function turnAsyncOnFix(context: BlockContext, anchor: WrittenField): readonly QuickFix[] {
  const key = "enable_async_activation_offload";
  const title = `Turn on ${key}`;
  const present = writtenField(context.block, key);
  if (present !== undefined) return setFix(title, context, present.entry, "true");
  const added: NewEntry = { key, valueText: "true", comment: verlEngineField(key)?.description ?? key };
  const commented = followsVerlFormat(context.path);
  const edit = addEntriesAfter(context.document.text, anchor.container, anchor.entry, [added], commented);
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}
