import type { MappingEntry, MappingNode } from "../document/configNode.js";

/**
 * Types as the dataclasses of both frameworks annotate them. `map` is a block whose members are fields of their own
 * (`router_replay.mode`); `map(free)` takes any members, which nothing checks.
 */
export type FieldType =
  | "bool"
  | "int"
  | "float"
  | "str"
  | "list[str]"
  | "list[int]"
  | "list[float]"
  | "list[bool]"
  | "map"
  | "map(free)";

/** A closed set makes any other value a mistake; an open one can be extended by plug-ins. */
export interface AllowedValues {
  readonly values: readonly string[];
  readonly open: boolean;
}

/** Inclusive bounds. `exclude` lists single values inside them that fail. `failure` says what a value outside does. */
export interface FieldRange {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclude?: readonly number[];
  readonly failure: string;
}

/** What the tables of both frameworks say about one key; each adds where the key stands, its defaults and who reads it. */
export interface ConfigField {
  readonly type: FieldType;
  readonly nullable?: boolean;
  readonly allowed?: AllowedValues;
  readonly constraints?: readonly string[];
  readonly since?: string;
  readonly description: string;
  readonly pitfall?: string;
}

/** One key as a file writes it, with the row that describes it. */
export interface Written<Field extends ConfigField = ConfigField> {
  /** As the table names it: from the engine block on in verl, from the top of VeOmni's own file. */
  readonly path: string;
  readonly entry: MappingEntry;
  readonly container: MappingNode;
  /** Absent for keys that the table does not know. */
  readonly field?: Field;
}

/** A number as YAML for Python wants it: floats with a point. */
export function pythonNumber(type: FieldType, value: number): string {
  const text = String(value);
  if (type !== "float" || text.includes(".")) return text;
  return text.includes("e") ? text.replace("e", ".0e") : `${text}.0`;
}
