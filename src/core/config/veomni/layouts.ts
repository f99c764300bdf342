import { fieldAt, fieldName, fieldNamed, trainingFields } from "./fields/fieldTable.js";
import { flatOnlyKeys } from "./fields/strayKeys.js";
import type { TrainingField } from "./fields/trainingField.js";
import { type LayoutId, layoutIds } from "./layout.js";

/** Where a key stands in another layout, or why it has no place there. */
export type ConvertedPath = { readonly path: string } | { readonly homeless: string; readonly why: string };

const goneByFlatPath: ReadonlyMap<string, string> = new Map(flatOnlyKeys.map((key) => [key.path, key.note]));
const successors: ReadonlyMap<string, TrainingField> = new Map(
  trainingFields.flatMap((field) => (field.replaces === undefined ? [] : [[field.replaces, field] as const])),
);

/**
 * Maps a dotted path from one layout to another. Members of free mappings (`model.lora_config.rank`) and of omni modules
 * (`model.modules.<name>.accelerator.…`) follow the block that they stand in. Homeless are keys that the target layout does not
 * have, blocks whose members stand one by one in the flat layout, and paths that `from` does not know.
 */
export function convertPath(path: string, from: LayoutId, to: LayoutId): ConvertedPath {
  const gone = from === "flat" ? goneByFlatPath.get(path) : undefined;
  if (gone !== undefined) return to === "flat" ? { path } : { homeless: path, why: gone };
  const known = knownPrefix(path, from);
  if (known === undefined) return { homeless: path, why: `The layout ${from} has no such key.` };
  const { field, prefix } = known;
  const base = baseIn(field, prefix, to);
  if (base === undefined) return { homeless: path, why: reasonFor(field, to) };
  return { path: base + path.slice(prefix.length) };
}

/** The path of a row in a layout; of a row that took over from another one, that one's path in the older layouts. */
export function pathIn(field: TrainingField, layout: LayoutId): string | undefined {
  return field.paths[layout] ?? relatedPaths.get(layout)?.get(field);
}

/** The paths that rows have through the row that they replace, or that replaces them. */
const relatedPaths: ReadonlyMap<LayoutId, ReadonlyMap<TrainingField, string>> = new Map(
  layoutIds.map((layout) => [
    layout,
    new Map(
      trainingFields.flatMap((field) => {
        const path = relatedPath(field, layout);
        return path === undefined ? [] : [[field, path] as const];
      }),
    ),
  ]),
);

function relatedPath(field: TrainingField, layout: LayoutId): string | undefined {
  const successor = successors.get(fieldName(field))?.paths[layout];
  if (successor !== undefined) return successor;
  return field.replaces === undefined ? undefined : fieldNamed(field.replaces).paths[layout];
}

interface KnownPrefix {
  readonly field: TrainingField;
  readonly prefix: string;
}

/** The row of the path, or of the free mapping that holds it. */
function knownPrefix(path: string, layout: LayoutId): KnownPrefix | undefined {
  const exact = fieldAt(layout, path);
  if (exact !== undefined) return { field: exact, prefix: path };
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const prefix = path.slice(0, dot);
    const field = fieldAt(layout, prefix);
    if (field !== undefined) return field.type === "map(free)" ? { field, prefix } : undefined;
  }
  return undefined;
}

function baseIn(field: TrainingField, prefix: string, to: LayoutId): string | undefined {
  const inModule = /^model\.modules\.[^.]+\./.exec(prefix)?.[0];
  if (inModule === undefined) return pathIn(field, to);
  return fieldAt(to, prefix) === undefined ? undefined : prefix;
}

function reasonFor(field: TrainingField, to: LayoutId): string {
  if (field.removedIn !== undefined && to !== "flat") return `The key is gone since ${field.removedIn}.`;
  if (to === "flat" && field.type === "map") return "The flat layout has no such block; its members stand one by one.";
  const first = layoutIds.findIndex((layout) => pathIn(field, layout) !== undefined);
  if (first > layoutIds.indexOf(to)) return `The key is newer than the layout ${to}${sinceText(field)}.`;
  return `The layout ${to} has no such key.`;
}

function sinceText(field: TrainingField): string {
  return field.since === undefined ? "" : ` (since ${field.since.split(/[(,]/, 1)[0]?.trim()})`;
}
