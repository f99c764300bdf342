import type { FieldRange } from "../../verl/fields/fieldSpec.js";
import type { LayoutId, LayoutPaths } from "../layout.js";

/**
 * Types as VeOmni's dataclasses annotate them. `map` is a block whose members are fields of their own; `map(free)` takes any
 * members, which nothing checks.
 */
export type TrainingFieldType =
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

/** Defaults as YAML would hold them; blocks have none of their own. */
export type TrainingDefault =
  | null
  | boolean
  | number
  | string
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, never>>;

/** Which values a text may have. An open set can be extended by registered plug-ins. */
export interface TrainingValues {
  readonly values: readonly string[];
  readonly open: boolean;
  /** What another value does, where that is known; nothing checks it otherwise. */
  readonly failure?: string;
  /** Values that only some trainers take. */
  readonly onlyFor?: Readonly<Record<string, readonly TrainerKind[]>>;
  /** Values that only some layouts take. */
  readonly onlyIn?: Readonly<Record<string, readonly LayoutId[]>>;
}

/** Bounds, for all layouts or for some. `checked: false`: nothing stops a value outside, it only makes no sense. */
export interface TrainingRange extends FieldRange {
  readonly layouts?: readonly LayoutId[];
  readonly checked?: false;
}

/** Trainers that add keys of their own. */
export type TrainerKind = "DPO" | "DiT" | "VLM";

/** One row of the field table: one key in every layout. */
export interface TrainingField {
  readonly paths: LayoutPaths;
  readonly type: TrainingFieldType;
  readonly nullable?: true;
  readonly required?: true;
  readonly default?: TrainingDefault;
  readonly allowed?: TrainingValues;
  readonly ranges?: readonly TrainingRange[];
  readonly constraints?: readonly string[];
  /** Absent: in the snapshot of 2026-08-21 or earlier. */
  readonly since?: string;
  readonly removedIn?: string;
  /** The key of older layouts whose place this one took. */
  readonly replaces?: string;
  /** Absent: every trainer reads it. */
  readonly trainers?: readonly TrainerKind[];
  readonly description: string;
  readonly pitfall?: string;
}
