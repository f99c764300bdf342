import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, type ConfigNode, entryOf, type MappingEntry, type MappingNode } from "../document/configNode.js";
import type { TextEdit } from "../document/diagnostic.js";
import { setValue } from "../document/edits.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { type EntryLines, placeEntry, scalarLines } from "../document/placement.js";
import { followsVerlFormat } from "../document/verlFormat.js";
import { commandBlocks } from "../overrides/commandBlocks.js";
import { type KeyValue, overrideKeyEdits } from "../overrides/overrideKeyEdit.js";
import { documentOf, type ReadConfig } from "../readConfig.js";
import { verlEngineField } from "../verl/fields/verlEngine.js";
import { endsLinesWithReturns, withReturns } from "../yaml/lineBreaks.js";

export type { KeyValue } from "../overrides/overrideKeyEdit.js";

/**
 * Ways to make a file say one value at one key of the job of a block, best first; none where there is no safe place (an alias, a value
 * that is put together from several places). `key` is dotted as `jobKeys` has it. In a script the override is written anew, or a word is
 * added behind the call's last one, the second way with the `+` that Hydra wants for keys that no file of its tree has. Whoever takes
 * one checks that the changed file still says nothing wrong.
 */
export function keyEdits(
  read: ReadConfig,
  settings: Pick<OffloadSettings, "blockPath">,
  key: string,
  value: KeyValue,
): readonly TextEdit[] {
  const { yaml, commands } = read;
  if (commands !== undefined) {
    const block = commandBlocks(commands).find(({ blockPath }) => blockPath === settings.blockPath);
    return block === undefined ? [] : overrideKeyEdits(read.text, block, key, value);
  }
  const edit = yaml === undefined ? undefined : yamlEdit(read.path, documentOf(yaml), key.split("."), String(value));
  if (edit === undefined) return [];
  return [endsLinesWithReturns(read.text) ? { ...edit, newText: withReturns(edit.newText) } : edit];
}

function yamlEdit(
  path: string,
  document: ConfigDocument,
  segments: readonly string[],
  valueText: string,
): TextEdit | undefined {
  const entry = ownEntry(document.root, segments);
  if (entry === "elsewhere") return undefined;
  if (entry === undefined) return placeEntry(document, segments, linesOf(path, segments, valueText));
  return entry.value.kind === "scalar" && entry.value.style !== "block"
    ? setValue(document.text, entry, valueText)
    : undefined;
}

/** verl's own files want a comment above each field, and a blank line between fields. */
function linesOf(path: string, segments: readonly string[], valueText: string): EntryLines {
  if (!followsVerlFormat(path)) return scalarLines(valueText);
  const key = segments.at(-1) ?? "";
  return { ...scalarLines(valueText), above: ["", `# ${verlEngineField(key)?.description ?? key}`] };
}

/** The entry at a path whose mappings stand in the text once each; `elsewhere`: an alias or a merge key shares one of them. */
function ownEntry(root: ConfigNode | undefined, segments: readonly string[]): MappingEntry | undefined | "elsewhere" {
  let node = root;
  let found: MappingEntry | undefined;
  for (const segment of segments) {
    const mapping: MappingNode | undefined = asMapping(node);
    if (mapping === undefined) return undefined;
    found = entryOf(mapping, segment);
    if (found === undefined) return undefined;
    const isWithin = found.span.start >= mapping.span.start && found.span.end <= mapping.span.end;
    if (!isWithin || found.value.kind === "alias") return "elsewhere";
    node = found.value;
  }
  return found;
}
