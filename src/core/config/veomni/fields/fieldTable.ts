import { type LayoutId, layoutIds } from "../layout.js";
import { acceleratorFields } from "./acceleratorFields.js";
import { checkpointFields } from "./checkpointFields.js";
import { computeFields } from "./computeFields.js";
import { dataFields } from "./dataFields.js";
import { dpoFields } from "./dpoFields.js";
import { kernelFields } from "./kernelFields.js";
import { modelFields } from "./modelFields.js";
import { offloadFields } from "./offloadFields.js";
import { optimizerFields } from "./optimizerFields.js";
import type { TrainingField } from "./trainingField.js";
import { trainLogFields } from "./trainLogFields.js";
import { trainLoopFields } from "./trainLoopFields.js";

/** Every key of VeOmni's training YAML, as of the snapshot of 2026-08-21 and of the newer files that could be read. */
export const trainingFields: readonly TrainingField[] = [
  ...modelFields,
  ...kernelFields,
  ...dataFields,
  ...trainLoopFields,
  ...optimizerFields,
  ...computeFields,
  ...acceleratorFields,
  ...offloadFields,
  ...checkpointFields,
  ...trainLogFields,
  ...dpoFields,
];

const fieldsByPath: ReadonlyMap<LayoutId, ReadonlyMap<string, TrainingField>> = new Map(
  layoutIds.map((layout) => [layout, new Map(pathsIn(layout))]),
);
const fieldsByName: ReadonlyMap<string, TrainingField> = new Map(
  trainingFields.map((field) => [fieldName(field), field]),
);
const memberNames: ReadonlyMap<LayoutId, ReadonlyMap<string, readonly string[]>> = new Map(
  layoutIds.map((layout) => [layout, membersIn(layout)]),
);
const moduleMember = /^model\.modules\.[^.]+\.((?:accelerator|optimizer)(?:\..+)?)$/;

/**
 * The name of a row that is the same for all layouts: its train-scoped path, or the path in the oldest layout that has it.
 * Rules and other tables refer to rows by this name.
 */
export function fieldName(field: TrainingField): string {
  const { paths } = field;
  return paths["train-scoped"] ?? layoutIds.map((layout) => paths[layout]).find((path) => path !== undefined) ?? "";
}

/** The row of that name; a name that no row has is a bug. */
export function fieldNamed(name: string): TrainingField {
  const field = fieldsByName.get(name);
  if (field === undefined) throw new Error(`no field is named ${name}`);
  return field;
}

/** The row of a dotted path, or `undefined` when the layout has no such key. Modules of an omni model share the rows of the model. */
export function fieldAt(layout: LayoutId, path: string): TrainingField | undefined {
  const fields = fieldsByPath.get(layout);
  const found = fields?.get(path);
  if (found !== undefined || layout === "flat") return found;
  const member = moduleMember.exec(path)?.[1];
  return member === undefined || !fields?.has("model.modules.<name>.accelerator")
    ? undefined
    : fields.get(`model.${member}`);
}

/** Names of the keys directly under a path, `""` for the top. */
export function membersUnder(layout: LayoutId, path: string): readonly string[] {
  const shared = path.replace(/^model\.modules\.[^.]+\./, "model.");
  return memberNames.get(layout)?.get(shared) ?? [];
}

function pathsIn(layout: LayoutId): [string, TrainingField][] {
  return trainingFields.flatMap((field) => {
    const path = field.paths[layout];
    return path === undefined ? [] : [[path, field] as [string, TrainingField]];
  });
}

function membersIn(layout: LayoutId): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const [path] of pathsIn(layout)) {
    if (path.includes("<")) continue;
    const dot = path.lastIndexOf(".");
    const parent = path.slice(0, Math.max(0, dot));
    const names = members.get(parent) ?? [];
    names.push(path.slice(dot + 1));
    members.set(parent, names);
  }
  return members;
}
