import { nearestSpelling } from "../../base/spelling.js";
import { asMapping } from "../document/configNode.js";
import { fieldAt, fieldName, membersUnder, trainingFields } from "./fields/fieldTable.js";
import {
  droppedKeys,
  flatOnlyKeys,
  misnamedKeys,
  type StrayKey,
  unmergedKeys,
  verlSpellings,
} from "./fields/strayKeys.js";
import { type RecordedTask, tasksDeclaring } from "./fields/taskKeys.js";
import type { TrainingField } from "./fields/trainingField.js";
import { type LayoutId, layoutIds } from "./layout.js";
import { convertPath, pathIn } from "./layouts.js";
import type { WrittenKey } from "./writtenKeys.js";

/**
 * Why a layout does not know a key. `target` is the path that means the same in this layout, if there is one.
 * `moved`: another layout has it. `newer`: it came later. `removed`: it went. `misnamed`: a mistake that shipped configs hold.
 * `unmerged`: a proposal. `verl`: verl's spelling. `task`: some tasks of VeOmni declare it. `unknown`: none of these, with the
 * nearest key.
 */
export type KeyClass =
  | { readonly kind: "moved"; readonly target: string }
  | { readonly kind: "newer" | "removed"; readonly note: string }
  | { readonly kind: "misnamed" | "unmerged" | "verl"; readonly note: string; readonly target?: string }
  | { readonly kind: "task"; readonly tasks: readonly RecordedTask[] }
  | { readonly kind: "unknown"; readonly target?: string; readonly nearest?: string };

const strayTables = [
  ["misnamed", new Map(misnamedKeys.map((key) => [key.path, key]))],
  ["unmerged", new Map(unmergedKeys.map((key) => [key.path, key]))],
  ["verl", new Map(verlSpellings.map((key) => [key.path, key]))],
] as const;
const droppedByPath: ReadonlyMap<string, StrayKey> = new Map(
  [...flatOnlyKeys, ...droppedKeys].map((key) => [key.path, key]),
);
const flatOnlyPaths: ReadonlySet<string> = new Set(flatOnlyKeys.map((key) => key.path));

/** Says why the layout does not know a written key; `undefined` for keys that it knows. */
export function classifyKey(written: WrittenKey, layout: LayoutId): KeyClass | undefined {
  if (written.field !== undefined) return undefined;
  const { path } = written;
  if (layout === "flat" && flatOnlyPaths.has(path)) return undefined;
  const name = nameOf(path, layout);
  const dropped = droppedByPath.get(name) ?? droppedByPath.get(path);
  if (dropped !== undefined) return { kind: "removed", note: dropped.note };
  const elsewhere = classifyElsewhere(written, layout);
  if (elsewhere?.kind === "moved") return elsewhere;
  return classifyStray(name, layout) ?? elsewhere ?? classifyTask(name) ?? classifyUnknown(path, layout);
}

function classifyTask(name: string): KeyClass | undefined {
  const tasks = tasksDeclaring(name);
  return tasks.length === 0 ? undefined : { kind: "task", tasks };
}

/** The path as the tables of stray keys name it: the name of the row above, and the last segment. */
function nameOf(path: string, layout: LayoutId): string {
  const dot = path.lastIndexOf(".");
  const parent = dot < 0 ? undefined : fieldAt(layout, path.slice(0, dot));
  return parent === undefined ? path : `${fieldName(parent)}.${path.slice(dot + 1)}`;
}

function classifyStray(name: string, layout: LayoutId): KeyClass | undefined {
  for (const [kind, keys] of strayTables) {
    const key = keys.get(name);
    if (key === undefined) continue;
    const target = key.replacement === undefined ? undefined : placeOf(key.replacement, layout);
    if (target === undefined && tasksDeclaring(name).length > 0) return undefined;
    return { kind, note: key.note, ...(target === undefined ? {} : { target }) };
  }
  return undefined;
}

/** The path of a row, or of a member of a free mapping, in a layout. */
function placeOf(name: string, layout: LayoutId): string | undefined {
  const field = trainingFields.find((candidate) => fieldName(candidate) === name);
  if (field !== undefined) return pathIn(field, layout);
  const converted = convertPath(name, "train-scoped", layout);
  return "path" in converted ? converted.path : undefined;
}

function classifyElsewhere(written: WrittenKey, layout: LayoutId): KeyClass | undefined {
  let homeless: KeyClass | undefined;
  for (const other of othersNewestFirst(layout)) {
    const field = fieldAt(other, written.path);
    if (field === undefined || !couldBe(field, written)) continue;
    const converted = convertPath(written.path, other, layout);
    if ("path" in converted) return { kind: "moved", target: converted.path };
    homeless ??= { kind: isNewer(field, layout) ? "newer" : "removed", note: converted.why };
  }
  return homeless ?? newMember(written.path, layout);
}

/** A member that the same block has in another layout only: `train.optimizer.betas` came when the block stood under `model`. */
function newMember(path: string, layout: LayoutId): KeyClass | undefined {
  const dot = path.lastIndexOf(".");
  if (dot < 0) return undefined;
  for (const other of othersNewestFirst(layout)) {
    const block = convertPath(path.slice(0, dot), layout, other);
    const member = "path" in block ? block.path + path.slice(dot) : path;
    const field = fieldAt(other, member);
    const converted = field === undefined ? undefined : convertPath(member, other, layout);
    if (field === undefined || converted === undefined || "path" in converted) continue;
    return { kind: isNewer(field, layout) ? "newer" : "removed", note: converted.why };
  }
  return undefined;
}

function othersNewestFirst(layout: LayoutId): readonly LayoutId[] {
  return layoutIds.filter((other) => other !== layout).reverse();
}

/** A scalar is no block, a block is no scalar: `train.optimizer` was a text in the flat layout. */
function couldBe(field: TrainingField, written: WrittenKey): boolean {
  const isBlock = asMapping(written.entry.value) !== undefined;
  return isBlock === field.type.startsWith("map");
}

function isNewer(field: TrainingField, layout: LayoutId): boolean {
  const first = layoutIds.findIndex((candidate) => pathIn(field, candidate) !== undefined);
  return first > layoutIds.indexOf(layout);
}

function classifyUnknown(path: string, layout: LayoutId): KeyClass {
  const dot = path.lastIndexOf(".");
  const name = path.slice(dot + 1);
  const nearest = nearestSpelling(name, membersUnder(layout, path.slice(0, Math.max(0, dot))));
  if (nearest !== undefined) return { kind: "unknown", nearest };
  const target = onlyPlaceOf(name, layout);
  return { kind: "unknown", ...(target === undefined ? {} : { target }) };
}

/** The one path that ends with this segment, if exactly one does: `train.max_seq_len` was meant to be `data.max_seq_len`. */
function onlyPlaceOf(name: string, layout: LayoutId): string | undefined {
  const places = placesByName.get(layout)?.get(name) ?? [];
  return places.length === 1 ? places[0] : undefined;
}

const placesByName: ReadonlyMap<LayoutId, ReadonlyMap<string, readonly string[]>> = new Map(
  layoutIds.map((layout) => [layout, placesIn(layout)]),
);

/** The paths of a layout by their last segment. */
function placesIn(layout: LayoutId): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { paths } of trainingFields) {
    const path = paths[layout];
    if (path === undefined || path.includes("<")) continue;
    const name = path.slice(path.lastIndexOf(".") + 1);
    places.set(name, [...(places.get(name) ?? []), path]);
  }
  return places;
}
