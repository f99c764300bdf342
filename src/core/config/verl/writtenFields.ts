import { asMapping, entryOf, type MappingNode } from "../document/configNode.js";
import type { Written } from "../rules/field.js";
import type { EngineBlock } from "./engineBlock.js";
import type { FieldSpec, FieldTable } from "./fields/fieldSpec.js";
import { verlEngineTable } from "./fields/verlEngine.js";

/** One key of a block as a file writes it; `path` is relative to the block: `router_replay.mode`. */
export type WrittenField = Written<FieldSpec>;

/** A block has some fifty keys. More than this are not looked at, so that a hostile file costs no more than a long one. */
const maxKeys = 1_000;

/** Many rules ask for the fields of the same block; they share one walk. */
const walked = new WeakMap<MappingNode, { readonly table: FieldTable; readonly fields: readonly WrittenField[] }>();

/** The table that describes the keys of a block. */
export function tableOf(block: EngineBlock): FieldTable {
  return block.table ?? verlEngineTable;
}

/** Every key of a block and of its nested blocks, in text order. */
export function writtenFields(block: EngineBlock): readonly WrittenField[] {
  const table = tableOf(block);
  const known = walked.get(block.mapping);
  if (known?.table === table) return known.fields;
  const fields = fieldsIn(table, block.mapping, "");
  walked.set(block.mapping, { table, fields });
  return fields;
}

/** The key of a block, if the file writes it. */
export function writtenField(block: EngineBlock, key: string): WrittenField | undefined {
  const entry = entryOf(block.mapping, key);
  const field = tableOf(block).field(key);
  if (entry === undefined || field === undefined) return undefined;
  return { path: key, entry, container: block.mapping, field };
}

function fieldsIn(table: FieldTable, container: MappingNode, prefix: string): readonly WrittenField[] {
  return container.entries.slice(0, maxKeys).flatMap((entry) => {
    const path = `${prefix}${entry.key}`;
    const field = table.field(path);
    if (field === undefined) return [{ path, entry, container }];
    const nested = field.type === "map" && table.keysUnder(path).length > 0 ? asMapping(entry.value) : undefined;
    return [{ path, entry, container, field }, ...(nested === undefined ? [] : fieldsIn(table, nested, `${path}.`))];
  });
}
