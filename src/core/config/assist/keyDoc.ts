import type { AllowedValues, FieldRange } from "../rules/field.js";
import { fieldAt } from "../veomni/fields/fieldTable.js";
import type { TrainingField, TrainingRange } from "../veomni/fields/trainingField.js";
import { type LayoutId, layoutIds } from "../veomni/layout.js";
import type { FieldSpec, FieldTable, ForeignField, RemovedField } from "../verl/fields/fieldSpec.js";
import { code, escapeMarkdown } from "./markdown.js";

/** How a value is written, for completion. */
export type ValueShape = "bool" | "number" | "text" | "list" | "block";

/** One line of facts for people: `default: 4`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

/** What is known about one key, whichever framework and layout it belongs to. */
export interface KeyDoc {
  /** Last segment of the path. */
  readonly name: string;
  /** Dotted path inside the block (verl) or from the top (VeOmni). */
  readonly path: string;
  readonly type: string;
  readonly shape: ValueShape;
  readonly nullable: boolean;
  readonly required: boolean;
  /** The default as YAML holds it; absent where there is none or it cannot be written on one line. */
  readonly defaultText?: string;
  readonly allowed?: Pick<AllowedValues, "values" | "open">;
  readonly description: string;
  /** Defaults, bounds, history and reader, in the order in which they are shown. */
  readonly facts: readonly Fact[];
  readonly constraints: readonly string[];
  readonly pitfall?: string;
  /** Written, and nothing acts on it. */
  readonly inert: boolean;
  /** Gone from the framework that the file is written for; never offered. */
  readonly removed: boolean;
  /** Only some trainers read it, e.g. `DPO`. */
  readonly onlyFor: readonly string[];
  /** Which framework and version says all this. */
  readonly source: string;
}

const verlSource = "verl 0.10.0.dev of 2026-08-22 with #7724";
const trainingSource = "VeOmni of 2026-08-21 and newer files";

const verlDocs = new WeakMap<FieldSpec, KeyDoc>();
const trainingDocs = new WeakMap<TrainingField, Map<LayoutId, KeyDoc>>();

/** A row of verl's tables, described once. */
export function docOfVerlField(field: FieldSpec, table: FieldTable): KeyDoc {
  const known = verlDocs.get(field);
  if (known !== undefined) return known;
  const doc = describeVerlField(field, table);
  verlDocs.set(field, doc);
  return doc;
}

function describeVerlField(field: FieldSpec, table: FieldTable): KeyDoc {
  const isBlock = field.type === "map" && table.keysUnder(field.key).length > 0;
  const written =
    field.yamlDefault ?? (typeof field.dataclassDefault === "string" ? undefined : field.dataclassDefault);
  return {
    name: lastSegment(field.key),
    path: field.key,
    type: field.type,
    shape: isBlock ? "block" : shapeOf(field.type),
    nullable: field.nullable,
    required: false,
    ...optional("defaultText", lineOf(written)),
    ...optional("allowed", field.allowed),
    description: field.description,
    facts: verlFacts(field),
    constraints: field.constraints,
    ...optional("pitfall", field.pitfall),
    inert: field.reader === "nobody" || field.reader === "worker",
    removed: false,
    onlyFor: [],
    source: verlSource,
  };
}

/** A key that verl once had. */
export function docOfRemovedField(field: RemovedField): KeyDoc {
  const history = [fact("since", escapeMarkdown(field.since)), fact("removed", escapeMarkdown(field.removed))];
  return { ...goneDoc(field.key, field.type, field.description, history), pitfall: field.pitfall };
}

/** A key of another framework. */
export function docOfForeignField(field: ForeignField, owner: string): KeyDoc {
  const instead = field.replacement === undefined ? [] : [fact("write instead", code(field.replacement))];
  return goneDoc(field.key, "not a key here", `${owner} does not know this key: ${field.note}`, instead);
}

/** A row of VeOmni's training table as `layout` has it, described once where it stands at its own path. */
export function docOfTrainingField(field: TrainingField, path: string, layout: LayoutId): KeyDoc {
  if (field.paths[layout] !== path) return describeTrainingField(field, path, layout);
  const byLayout = trainingDocs.get(field) ?? new Map<LayoutId, KeyDoc>();
  const doc = byLayout.get(layout) ?? describeTrainingField(field, path, layout);
  trainingDocs.set(field, byLayout.set(layout, doc));
  return doc;
}

function describeTrainingField(field: TrainingField, path: string, layout: LayoutId): KeyDoc {
  const allowed = field.allowed;
  const values = allowed?.values.filter((value) => allowed.onlyIn?.[value]?.includes(layout) ?? true);
  return {
    name: lastSegment(path),
    path,
    type: field.type,
    shape: field.type.startsWith("map") ? "block" : shapeOf(field.type),
    nullable: field.nullable === true,
    required: field.required === true,
    ...optional("defaultText", lineOf(field.default)),
    ...optional("allowed", values === undefined ? undefined : { values, open: allowed?.open === true }),
    description: field.description,
    facts: trainingFacts(field, path, layout),
    constraints: field.constraints ?? [],
    ...optional("pitfall", field.pitfall),
    inert: false,
    removed: field.removedIn !== undefined,
    onlyFor: field.trainers ?? [],
    source: trainingSource,
  };
}

/** Where another layout has a key of this path, for keys that stand in the wrong one. */
export function layoutsWith(path: string): readonly LayoutId[] {
  return layoutIds.filter((layout) => fieldAt(layout, path) !== undefined);
}

/** A fact of two texts. */
export function fact(label: string, text: string): Fact {
  return { label, text };
}

function goneDoc(key: string, type: string, description: string, facts: readonly Fact[]): KeyDoc {
  return {
    name: lastSegment(key),
    path: key,
    type,
    shape: "text",
    nullable: false,
    required: false,
    description,
    facts,
    constraints: [],
    inert: true,
    removed: true,
    onlyFor: [],
    source: verlSource,
  };
}

function verlFacts(field: FieldSpec): readonly Fact[] {
  const yaml = lineOf(field.yamlDefault);
  const dataclass =
    typeof field.dataclassDefault === "string" ? field.dataclassDefault : lineOf(field.dataclassDefault);
  return [
    ...(yaml === undefined ? [] : [fact("default", code(yaml))]),
    ...(yaml === undefined && dataclass !== undefined
      ? [fact("default", `${code(dataclass)}, not in the shipped YAML: a command line needs ${code(`+${field.key}=`)}`)]
      : []),
    ...(yaml !== undefined && dataclass !== undefined && yaml !== dataclass
      ? [fact("default of the dataclass", code(dataclass))]
      : []),
    ...(field.range === undefined ? [] : [rangeFact(field.range)]),
    ...(field.nullFailure === undefined ? [] : [fact("null", `not allowed: ${escapeMarkdown(field.nullFailure)}`)]),
    fact("since", escapeMarkdown(field.since)),
    fact("read by", escapeMarkdown(field.readBy)),
    ...(field.refFollowsActor === undefined
      ? []
      : [fact("ref follows the actor", escapeMarkdown(field.refFollowsActor))]),
  ];
}

function trainingFacts(field: TrainingField, path: string, layout: LayoutId): readonly Fact[] {
  const defaultLine = lineOf(field.default);
  const ranges = (field.ranges ?? []).filter((range: TrainingRange) => range.layouts?.includes(layout) ?? true);
  return [
    ...(field.required === true ? [fact("required", "yes")] : []),
    ...(defaultLine === undefined ? [] : [fact("default", code(defaultLine))]),
    ...ranges.map(rangeFact),
    ...(field.since === undefined ? [] : [fact("since", escapeMarkdown(field.since))]),
    ...(field.removedIn === undefined ? [] : [fact("removed", escapeMarkdown(field.removedIn))]),
    ...movedFacts(field, path),
    ...(field.trainers === undefined ? [] : [fact("read by", `${field.trainers.join(", ")} trainers only`)]),
  ];
}

function movedFacts(field: TrainingField, path: string): readonly Fact[] {
  const byPath = new Map<string, LayoutId[]>();
  for (const layout of layoutIds) {
    const other = field.paths[layout];
    if (other === undefined || other === path) continue;
    byPath.set(other, [...(byPath.get(other) ?? []), layout]);
  }
  return [...byPath].map(([other, layouts]) => fact(`in ${layouts.join(", ")}`, code(other)));
}

function rangeFact(range: FieldRange): Fact {
  const parts = [
    ...(range.minimum === undefined ? [] : [`≥ ${range.minimum}`]),
    ...(range.maximum === undefined ? [] : [`≤ ${range.maximum}`]),
    ...(range.exclude === undefined || range.exclude.length === 0 ? [] : [`not ${range.exclude.join(", ")}`]),
  ];
  return fact("bounds", `${parts.join(", ")}; otherwise ${escapeMarkdown(range.failure)}`);
}

function shapeOf(type: string): ValueShape {
  if (type === "bool") return "bool";
  if (type === "int" || type === "float") return "number";
  if (type.startsWith("list")) return "list";
  return type.startsWith("map") ? "block" : "text";
}

/** A default on one line of YAML; long collections have none. */
function lineOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return /^[A-Za-z_][\w./-]*$/.test(value) ? value : JSON.stringify(value);
  const line = JSON.stringify(value);
  return line.length <= 120 ? line : undefined;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** An object with the member, or without it: absent and `undefined` are different things here. */
function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value });
}
