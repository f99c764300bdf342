import { type ConfigNode, followAlias, isDeferred, scalarOf } from "../document/configNode.js";
import { fieldAt, fieldName, trainingFields } from "../veomni/fields/fieldTable.js";
import { droppedKeys, misnamedKeys, type StrayKey, unmergedKeys, verlSpellings } from "../veomni/fields/strayKeys.js";
import { taskKeys } from "../veomni/fields/taskKeys.js";
import type { TrainingField } from "../veomni/fields/trainingField.js";
import { type LayoutId, layoutIds } from "../veomni/layout.js";
import { convertPath, pathIn } from "../veomni/layouts.js";

/** The layouts that a file is converted between. */
export interface Route {
  readonly from: LayoutId;
  readonly to: LayoutId;
}

/** How a key is understood: as the row of that path in that layout. */
export interface Reading {
  readonly layout: LayoutId;
  readonly path: string;
}

/**
 * Where a key belongs in the target layout. `at`: at `path`, read as `reading`; `holdsFields` for blocks whose members are looked
 * at one by one. `homeless`: nowhere; `reading` for blocks whose members could have a place. `stays`: where it is; `isUnknown`
 * when no layout has such a key.
 */
export type Destination =
  | {
      readonly kind: "at";
      readonly path: string;
      readonly reading: Reading;
      readonly holdsFields: boolean;
      /** Name of the row; absent for members of free mappings. */
      readonly row?: string;
    }
  | { readonly kind: "homeless"; readonly why: string; readonly reading?: Reading }
  | { readonly kind: "stays"; readonly isUnknown?: true };

const strayKeys: ReadonlyMap<string, StrayKey> = new Map(
  [...taskKeys, ...misnamedKeys, ...unmergedKeys, ...verlSpellings].map((key) => [key.path, key]),
);
const dropped: ReadonlyMap<string, StrayKey> = new Map(droppedKeys.map((key) => [key.path, key]));
const unknown: Destination = { kind: "stays", isUnknown: true };
const omniModules = "model.modules";

/**
 * Says where the entry `key` of the block that is read as `parent` (absent: the top of the file) belongs. The source layout counts
 * first, then the target, whose keys stay; then keys that any other layout moved, and the mistakes of shipped configs.
 */
export function destinationOf(route: Route, parent: Reading | undefined, key: string, value: ConfigNode): Destination {
  if (key.includes(".")) return unknown;
  const path = parent === undefined ? key : `${parent.path}.${key}`;
  if (path === omniModules) return modulesDestination(route);
  for (const layout of distinct([parent?.layout ?? route.from, route.from, route.to])) {
    const known = inLayout(route, { layout, path }, value);
    if (known !== undefined) return known;
  }
  const name = nameOf(parent, key);
  const gone = dropped.get(name);
  if (gone !== undefined) return { kind: "homeless", why: gone.note };
  const others = layoutIds.map((layout) => inLayout(route, { layout, path }, value)).reverse();
  const moved = others.find((found) => found?.kind === "at");
  return moved ?? strayDestination(route, name, value) ?? others.find((found) => found !== undefined) ?? unknown;
}

/** Modules of an omni model are named freely, so the block itself has no row. */
function modulesDestination({ from, to }: Route): Destination {
  if (!hasModules(from) || hasModules(to)) return { kind: "stays" };
  return { kind: "homeless", why: `Omni modules are newer than the layout ${to}.` };
}

function hasModules(layout: LayoutId): boolean {
  return fieldAt(layout, `${omniModules}.<name>.accelerator`) !== undefined;
}

function inLayout(route: Route, reading: Reading, value: ConfigNode): Destination | undefined {
  const field = fieldAt(reading.layout, reading.path);
  if (field !== undefined && !couldBe(field, value)) return undefined;
  const converted = convertPath(reading.path, reading.layout, route.to);
  if ("path" in converted) {
    return { kind: "at", path: converted.path, reading, holdsFields: field?.type === "map", ...rowOf(field) };
  }
  const isKnown = field !== undefined || isFlatOnly(reading);
  if (!isKnown) return undefined;
  return { kind: "homeless", why: converted.why, ...(field?.type === "map" ? { reading } : {}) };
}

/** Keys of the flat layout without a row: that layout itself keeps them. */
function isFlatOnly(reading: Reading): boolean {
  return reading.layout === "flat" && "path" in convertPath(reading.path, "flat", "flat");
}

/** A scalar is no block, a block is no scalar: `train.optimizer` was a text in the flat layout. Empty values could be both. */
function couldBe(field: TrainingField, value: ConfigNode): boolean {
  const node = followAlias(value);
  if (node.kind === "alias" || scalarOf(node)?.type === "null" || isDeferred(node)) return true;
  return (node.kind === "mapping") === field.type.startsWith("map");
}

/** The path as the tables of stray keys name it: the name of the row above, and the key. */
function nameOf(parent: Reading | undefined, key: string): string {
  if (parent === undefined) return key;
  const field = fieldAt(parent.layout, parent.path);
  return `${field === undefined ? parent.path : fieldName(field)}.${key}`;
}

function strayDestination(route: Route, name: string, value: ConfigNode): Destination | undefined {
  const stray = strayKeys.get(name);
  if (stray === undefined) return undefined;
  const path = stray.replacement === undefined ? undefined : placeOf(stray.replacement, route.to);
  const field = path === undefined ? undefined : fieldAt(route.to, path);
  if (path === undefined || (field !== undefined && !couldBe(field, value))) {
    return { kind: "homeless", why: stray.note, ...readingOf(stray) };
  }
  return { kind: "at", path, reading: { layout: route.to, path }, holdsFields: field?.type === "map", ...rowOf(field) };
}

/** A misnamed block whose members stand one by one in the target: they are read as those of the block that was meant. */
function readingOf({ replacement }: StrayKey): { readonly reading?: Reading } {
  const isBlock = replacement !== undefined && fieldAt("train-scoped", replacement)?.type === "map";
  return isBlock ? { reading: { layout: "train-scoped", path: replacement } } : {};
}

function rowOf(field: TrainingField | undefined): { readonly row?: string } {
  return field === undefined ? {} : { row: fieldName(field) };
}

/** The path of a row by its name, or of a member of a free mapping. */
function placeOf(name: string, layout: LayoutId): string | undefined {
  const field = trainingFields.find((candidate) => fieldName(candidate) === name);
  if (field !== undefined) return pathIn(field, layout);
  const converted = convertPath(name, "train-scoped", layout);
  return "path" in converted ? converted.path : undefined;
}

function distinct(layouts: readonly LayoutId[]): readonly LayoutId[] {
  return [...new Set(layouts)];
}
