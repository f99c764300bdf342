/** Types as verl's dataclass annotates them. `map` is a nested block whose members are fields of their own (`router_replay.mode`). */
export type FieldType = "bool" | "int" | "float" | "str" | "list[str]" | "map";

/** Default values as YAML would hold them. */
export type FieldValue = null | boolean | number | string | readonly string[] | Readonly<Record<string, string>>;

/**
 * Who reads the value, which decides how bad a wrong one is. `engine`: the training engine, so a wrong value fails or changes
 * the run. `loader`: the code that builds the dataclass. `worker`: overwritten at start-up from a key one level up.
 * `nobody`: declared, but nothing reads it.
 */
export type FieldReader = "engine" | "loader" | "worker" | "nobody";

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

/** One row of a field table: everything that diagnostics, hover, completion and the schema need to know about one key. */
export interface FieldSpec {
  /** Relative to the block, segments joined by dots. */
  readonly key: string;
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Default in the shipped YAML; absent when the shipped file does not hold the key (a command-line override then needs `+`). */
  readonly yamlDefault?: FieldValue;
  /** Default of the dataclass, which counts when a file replaces the shipped one. */
  readonly dataclassDefault: FieldValue | "EngineRouterReplayConfig()";
  readonly allowed?: AllowedValues;
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
  readonly description: string;
  readonly pitfall?: string;
}

/** A key that existed once. */
export interface RemovedField {
  readonly key: string;
  readonly type: FieldType;
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
