import { entryOf, type MappingEntry, type MappingNode } from "../../document/configNode.js";
import type { QuickFix, TextSpan } from "../../document/diagnostic.js";
import { addEntriesAfter, type NewEntry, removeFix, setValue } from "../../document/edits.js";
import { followsVerlFormat } from "../../document/verlFormat.js";
import { hasLineBreak } from "../../yaml/lineBreaks.js";
import type { BlockContext } from "../blockRule.js";
import { verlEngineField } from "../fields/verlEngine.js";
import { runsForwardOnly } from "../offloadSwitch.js";
import { type WrittenField, writtenField } from "../writtenFields.js";

/** Sets the value of an entry of this file; nothing when an alias or a merge key shares the value with other places. */
export function setFix(
  title: string,
  context: BlockContext,
  entry: MappingEntry,
  valueText: string,
): readonly QuickFix[] {
  if (entry.value.kind === "alias") return [];
  const edit = context.writer
    ? context.writer.set(entry, valueText)
    : setValue(context.document.text, entry, valueText);
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

/** Sets a key of a mapping of this file, or adds it behind the last entry that does not hold `leaving`. */
export function putFix(
  title: string,
  context: BlockContext,
  mapping: MappingNode | undefined,
  key: string,
  valueText: string,
  leaving?: MappingEntry,
): readonly QuickFix[] {
  const present = entryOf(mapping, key);
  if (present !== undefined) return setFix(title, context, present, valueText);
  const last = mapping?.entries.findLast((entry) => leaving === undefined || !encloses(entry.span, leaving.span));
  if (mapping === undefined || last === undefined || context.writer !== undefined) return [];
  const added: NewEntry = { key, valueText, comment: verlEngineField(key)?.description ?? key };
  const edit = addEntriesAfter(context.document.text, mapping, last, [added], followsVerlFormat(context.path));
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

/**
 * Moves an entry with a value on one line to another mapping, under the name that it has there. An override is written with
 * `path`, whether something else stands there or not.
 */
export function moveFix(
  title: string,
  context: BlockContext,
  from: MappingNode,
  entry: MappingEntry,
  to: MappingNode | undefined,
  path: string,
): readonly QuickFix[] {
  const key = path.slice(path.lastIndexOf(".") + 1);
  if (context.writer !== undefined) {
    const edit = entryOf(to, key) === undefined ? context.writer.move(entry, path) : undefined;
    return edit === undefined ? [] : [{ title, edits: [edit] }];
  }
  const { text } = context.document;
  const valueText = text.slice(entry.value.span.start, entry.value.span.end);
  if (to === undefined || entryOf(to, key) !== undefined || valueText === "" || hasLineBreak(valueText)) return [];
  const removed = removeFix(title, context, from, entry)[0]?.edits ?? [];
  const added = putFix(title, context, to, key, valueText, entry)[0]?.edits ?? [];
  const [taken] = removed;
  const [put] = added;
  if (taken === undefined || put === undefined) return [];
  const overlaps = put.span.start >= taken.span.start && put.span.start < taken.span.end;
  return overlaps ? [] : [{ title, edits: [taken, put] }];
}

/** Ways out for a key that only counts with the switch on: turn it on, unless that makes no sense here, or remove the key. */
export function unusedKeyFixes(context: BlockContext, written: WrittenField): readonly QuickFix[] {
  const remove = removeFix(`Remove ${written.path}`, context, written.container, written.entry);
  return runsForwardOnly(context.block) ? remove : [...turnAsyncOnFix(context, written), ...remove];
}

/** Turns `enable_async_activation_offload` on: sets it where it stands, else adds it behind `anchor`. */
function turnAsyncOnFix(context: BlockContext, anchor: WrittenField): readonly QuickFix[] {
  const key = "enable_async_activation_offload";
  const title = `Turn on ${key}`;
  const present = writtenField(context.block, key);
  if (present !== undefined) return setFix(title, context, present.entry, "true");
  if (context.writer !== undefined) return [];
  const added: NewEntry = { key, valueText: "true", comment: verlEngineField(key)?.description ?? key };
  const commented = followsVerlFormat(context.path);
  const edit = addEntriesAfter(context.document.text, anchor.container, anchor.entry, [added], commented);
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

function encloses(outer: TextSpan, inner: TextSpan): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}
