import type { AllowedValues, ConfigField, FieldRange } from "../../rules/field.js";
import type { LayoutId, LayoutPaths } from "../layout.js";

/** Defaults as YAML would hold them; blocks have none of their own. */
export type TrainingDefault =
  | null
  | boolean
  | number
  | string
  | readonly (string | number | boolean)[]
  | Readonly<Record<string, never>>;

/** Which values a text may have. An open set can be extended by registered plug-ins. */
export interface TrainingValues extends AllowedValues {
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
export interface TrainingField extends ConfigField {
  readonly paths: LayoutPaths;
  readonly nullable?: true;
  readonly required?: true;
  readonly default?: TrainingDefault;
  readonly allowed?: TrainingValues;
  readonly ranges?: readonly TrainingRange[];
  /** Absent: in the snapshot of 2026-08-21 or earlier. */
  readonly since?: string;
  readonly removedIn?: string;
  /** The key of older layouts whose place this one took. */
  readonly replaces?: string;
  /** Absent: every trainer reads it. */
  readonly trainers?: readonly TrainerKind[];
}
