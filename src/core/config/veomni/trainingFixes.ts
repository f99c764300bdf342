import type { MappingEntry } from "../document/configNode.js";
import type { QuickFix } from "../document/diagnostic.js";
import { removeFix, setValue } from "../document/edits.js";
import { moveEntry } from "../document/moveEntry.js";
import { placeEntry, scalarLines } from "../document/placement.js";
import { type PlacedKey, pathOf, placedKey, type TrainingContext } from "./trainingContext.js";
import type { WrittenKey } from "./writtenKeys.js";

/** Sets a key by the name of its row, or adds it where the layout wants it. */
export function setKeyFix(context: TrainingContext, name: string, valueText: string): readonly QuickFix[] {
  const path = pathOf(context, name);
  if (path === undefined) return [];
  const title = `Set ${path} to ${valueText}`;
  const placed = placedKey(context, name);
  if (placed !== undefined) return setEntryFix(title, context, placed.entry, valueText);
  const edit = placeEntry(context.document, path.split("."), scalarLines(valueText));
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

/** Sets the value of an entry of this file; nothing when an alias shares the value with other places. */
export function setEntryFix(
  title: string,
  context: TrainingContext,
  entry: MappingEntry,
  valueText: string,
): readonly QuickFix[] {
  if (entry.value.kind !== "scalar") return [];
  return [{ title, edits: [setValue(context.document.text, entry, valueText)] }];
}

/** Takes a key out. */
export function removeKeyFix(context: TrainingContext, key: PlacedKey | WrittenKey): readonly QuickFix[] {
  const name = key.path.length <= 80 ? key.path : key.entry.key.slice(0, 80);
  return removeFix(`Remove ${name}`, context, key.container, key.entry);
}

/** Brings a key to another path: renamed where it stands, or its lines moved with their comments. */
export function relocateFix(context: TrainingContext, written: WrittenKey, target: string): readonly QuickFix[] {
  const from = written.path.split(".");
  const to = target.split(".");
  const staysInBlock = from.length === to.length && from.slice(0, -1).every((key, depth) => to[depth] === key);
  const last = to.at(-1) ?? "";
  if (staysInBlock) {
    if (written.container.entries.some((entry) => entry.key === last)) return [];
    return [{ title: `Rename to ${last}`, edits: [{ span: written.entry.keySpan, newText: last }] }];
  }
  const edits = moveEntry(context.document, from, to);
  return edits === undefined ? [] : [{ title: `Move to ${target}`, edits }];
}
