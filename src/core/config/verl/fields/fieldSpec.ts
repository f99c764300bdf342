import type { ConfigField, FieldRange, FieldType } from "../../rules/field.js";

/** The types that verl's dataclasses have. */
export type VerlFieldType = Exclude<FieldType, "list[int]" | "list[bool]" | "map(free)">;

/** Default values as YAML would hold them. */
export type FieldValue =
  | null
  | boolean
  | number
  | string
  | readonly string[]
  | readonly number[]
  | Readonly<Record<string, string>>;

/**
 * Who reads the value, which decides how bad a wrong one is. `engine`: the training engine, so a wrong value fails or changes
 * the run. `loader`: the code that builds the dataclass. `worker`: overwritten at start-up from a key one level up.
 * `nobody`: declared, but nothing reads it.
 */
export type FieldReader = "engine" | "loader" | "worker" | "nobody";

/** One row of a field table: everything that diagnostics, hover, completion and the schema need to know about one key. */
export interface FieldSpec extends ConfigField {
  /** Relative to the block, segments joined by dots. */
  readonly key: string;
  readonly type: VerlFieldType;
  readonly nullable: boolean;
  /** Default in the shipped YAML; absent when the shipped file does not hold the key (a command-line override then needs `+`). */
  readonly yamlDefault?: FieldValue;
  /** Default of the dataclass, which counts when a file replaces the shipped one. */
  readonly dataclassDefault?: FieldValue | "EngineRouterReplayConfig()";
  readonly range?: FieldRange;
  /** What null does where it fails at start-up; elsewhere null is taken as Python's `None`. */
  readonly nullFailure?: string;
  readonly constraints: readonly string[];
  readonly since: string;
  readonly reader: FieldReader;
  /** The same in words. */
  readonly readBy: string;
  /** How the reference policy's block takes the value over from the actor's, if it does. */
  readonly refFollowsActor?: string;
}

/** A key that existed once. */
export interface RemovedField {
  readonly key: string;
  readonly type: VerlFieldType;
  readonly since: string;
  readonly removed: string;
  readonly description: string;
  readonly pitfall: string;
}

/** A key of another engine or framework that people write into this block. */
export interface ForeignField {
  readonly key: string;
  /** The key of this block that means the same, if there is one. */
  readonly replacement?: string;
  readonly note: string;
}

/** The table of one kind of block. */
export interface FieldTable {
  /** Who owns the keys, for messages: `verl's VeOmni engine`. */
  readonly owner: string;
  readonly fields: readonly FieldSpec[];
  /** The row for a dotted key, or `undefined` when the block does not know it. */
  field(key: string): FieldSpec | undefined;
  removed(key: string): RemovedField | undefined;
  foreign(key: string): ForeignField | undefined;
  /** Names of the keys directly under `prefix` ("" for the block itself). */
  keysUnder(prefix: string): readonly string[];
}

/** Builds the look-ups of a table once. */
export function fieldTable(
  owner: string,
  fields: readonly FieldSpec[],
  removed: readonly RemovedField[] = [],
  foreign: readonly ForeignField[] = [],
): FieldTable {
  const fieldsByKey = new Map(fields.map((field) => [field.key, field]));
  const removedByKey = new Map(removed.map((field) => [field.key, field]));
  const foreignByKey = new Map(foreign.map((field) => [field.key, field]));
  const names = new Map<string, string[]>();
  for (const { key } of fields) {
    const dot = key.lastIndexOf(".");
    const prefix = dot < 0 ? "" : key.slice(0, dot);
    names.set(prefix, [...(names.get(prefix) ?? []), key.slice(dot + 1)]);
  }
  return {
    owner,
    fields,
    field: (key) => fieldsByKey.get(key),
    removed: (key) => removedByKey.get(key),
    foreign: (key) => foreignByKey.get(key),
    keysUnder: (prefix) => names.get(prefix) ?? [],
  };
}
