import { z } from "zod";
import { trainingFields } from "../veomni/fields/fieldTable.js";
import { flatOnlyKeys } from "../veomni/fields/strayKeys.js";
import type { TrainingField } from "../veomni/fields/trainingField.js";
import type { LayoutId } from "../veomni/layout.js";
import { fieldSchema } from "./fieldSchema.js";
import { type JsonSchema, reservedMembers, toJsonSchema } from "./jsonSchema.js";
import { trainingConditions } from "./trainingConditions.js";

/** Stands for a name of the user's own in the paths of rows. */
const freeName = "<name>";

interface Branch {
  field?: TrainingField;
  readonly members: Map<string, Branch>;
}

/** The schema of VeOmni's own training YAML in one layout. Blocks refuse keys that the layout does not have. */
export function trainingSchema(layout: LayoutId): JsonSchema {
  const root: Branch = { members: new Map() };
  for (const field of trainingFields) {
    const path = field.paths[layout];
    if (path === undefined) continue;
    let branch = root;
    for (const segment of path.split(".")) branch = childOf(branch, segment);
    branch.field = field;
  }
  if (layout === "flat") addFlatOnly(root);
  shareModelBlocks(root);
  return toJsonSchema(blockOf(root, layout), `VeOmni training, layout ${layout}`, trainingConditions(layout));
}

/** Keys that went with the flat layout have no rows: it takes any value for them. */
function addFlatOnly(root: Branch): void {
  for (const { path } of flatOnlyKeys) path.split(".").reduce(childOf, root);
}

/** The accelerator and the optimizer of one module of an omni model have the members of the model's own. */
function shareModelBlocks(root: Branch): void {
  const model = root.members.get("model");
  const named = model?.members.get("modules")?.members.get(freeName);
  for (const name of named?.members.keys() ?? []) {
    const block = model?.members.get(name);
    if (block !== undefined) named?.members.set(name, block);
  }
}

function childOf(branch: Branch, segment: string): Branch {
  const present = branch.members.get(segment);
  if (present !== undefined) return present;
  const child: Branch = { members: new Map() };
  branch.members.set(segment, child);
  return child;
}

function blockOf(branch: Branch, layout: LayoutId): z.ZodType {
  const named = branch.members.get(freeName);
  if (named !== undefined) return z.object({}).catchall(namedBlock(named, layout));
  const shape = reservedMembers(["<<"]);
  for (const [name, member] of branch.members) shape[name] = memberOf(member, layout);
  return z.strictObject(shape);
}

/** Modules may have more members than those that are described. */
function namedBlock(branch: Branch, layout: LayoutId): z.ZodType {
  const members = [...branch.members].map(([name, member]) => [name, memberOf(member, layout)] as const);
  return z.union([z.looseObject(Object.fromEntries(members)), z.null()]);
}

function memberOf(branch: Branch, layout: LayoutId): z.ZodType {
  const { field } = branch;
  if (branch.members.size > 0 && field?.type !== "map(free)") {
    const block = z.union([blockOf(branch, layout), z.null()]);
    return (field === undefined ? block : block.meta({ description: field.description })).optional();
  }
  if (field === undefined) return z.unknown().optional();
  const { failure: _failure, onlyIn, ...allowed } = field.allowed ?? { values: [], open: true };
  const values = allowed.values.filter((value) => onlyIn?.[value]?.includes(layout) !== false);
  return fieldSchema({
    type: field.type,
    acceptsNull: field.nullable === true || field.type.startsWith("map"),
    allowed: field.allowed === undefined ? undefined : { values, open: allowed.open },
    range: field.ranges?.find((range) => range.checked !== false && range.layouts?.includes(layout) !== false),
    default: field.default,
    description: [field.description, field.pitfall].filter((text) => text !== undefined).join(" "),
    isPatternList: (field.paths[layout] ?? "").endsWith("activation_offload_modules"),
  });
}
