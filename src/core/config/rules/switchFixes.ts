import type { MappingEntry } from "../configNode.js";
import type { QuickFix } from "../diagnostic.js";
import { addEntriesAfter, type NewEntry, replaceFix, setValue } from "../edits.js";
import { verlEngineField } from "../fields/verlEngine.js";
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

/** Turns `enable_async_activation_offload` on: sets it where it stands, else adds it behind `anchor`. */
export function turnAsyncOnFix(context: BlockContext, anchor: WrittenField): readonly QuickFix[] {
  const key = "enable_async_activation_offload";
  const title = `Turn on ${key}`;
  const present = writtenField(context.block, key);
  if (present !== undefined) return setFix(title, context, present.entry, "true");
  const added: NewEntry = { key, valueText: "true", comment: verlEngineField(key)?.description ?? key };
  const commented = followsVerlFormat(context.path);
  const edit = addEntriesAfter(context.document.text, anchor.container, anchor.entry, [added], commented);
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}
