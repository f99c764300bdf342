import { asMapping, entryOf, type MappingEntry, type MappingNode } from "./configNode.js";
import type { FieldSpec } from "./fields/fieldSpec.js";
import { verlEngineField } from "./fields/verlEngine.js";
import type { EngineBlock } from "./recognise.js";

/** One key as a file writes it, with the row that describes it. */
export interface WrittenField {
  /** Relative to the block: `router_replay.mode`. */
  readonly key: string;
  readonly entry: MappingEntry;
  readonly container: MappingNode;
  /** Absent for keys that the engine does not know. */
  readonly field?: FieldSpec;
}

/** A block has some fifty keys. More than this are not looked at, so that a hostile file costs no more than a long one. */
const maxKeys = 1_000;

/** Every key of a block and of its nested blocks, in text order. */
export function writtenFields(block: EngineBlock): readonly WrittenField[] {
  return fieldsIn(block.mapping, "");
}

/** The key of a block, if the file writes it. */
export function writtenField(block: EngineBlock, key: string): WrittenField | undefined {
  const entry = entryOf(block.mapping, key);
  const field = verlEngineField(key);
  if (entry === undefined || field === undefined) return undefined;
  return { key, entry, container: block.mapping, field };
}

function fieldsIn(container: MappingNode, prefix: string): readonly WrittenField[] {
  return container.entries.slice(0, maxKeys).flatMap((entry) => {
    const key = `${prefix}${entry.key}`;
    const field = verlEngineField(key);
    if (field === undefined) return [{ key, entry, container }];
    const nested = field.type === "map" ? asMapping(entry.value) : undefined;
    return [{ key, entry, container, field }, ...(nested === undefined ? [] : fieldsIn(nested, `${key}.`))];
  });
}
