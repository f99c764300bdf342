import { type FieldSpec, type FieldTable, type ForeignField, fieldTable, type RemovedField } from "./fieldSpec.js";
import { verlEngineBatching } from "./verlEngineBatching.js";
import { verlEngineForeign, verlEngineRemoved } from "./verlEngineForeign.js";
import { verlEngineKernels } from "./verlEngineKernels.js";
import { verlEngineLoading } from "./verlEngineLoading.js";
import { verlEngineOffload } from "./verlEngineOffload.js";
import { verlEngineSharding } from "./verlEngineSharding.js";

/** Every key of verl's VeOmni engine block, as of verl 0.10.0.dev (2026-08-22) with #7724 applied. */
export const verlEngineFields: readonly FieldSpec[] = [
  ...verlEngineLoading,
  ...verlEngineSharding,
  ...verlEngineOffload,
  ...verlEngineBatching,
  ...verlEngineKernels,
];

/** Keys that Hydra reads itself and never passes to the dataclass. */
const hydraKeys: ReadonlySet<string> = new Set([
  "_target_",
  "_convert_",
  "_recursive_",
  "_partial_",
  "_args_",
  "defaults",
]);

/** The engine block's table. */
export const verlEngineTable: FieldTable = fieldTable(
  "verl's VeOmni engine",
  verlEngineFields,
  verlEngineRemoved,
  verlEngineForeign,
);

/** The row for `key` (dotted inside nested blocks), or `undefined` when the engine does not know it. */
export function verlEngineField(key: string): FieldSpec | undefined {
  return verlEngineTable.field(key);
}

/** The row of a key that the engine once had. */
export function removedVerlEngineField(key: string): RemovedField | undefined {
  return verlEngineTable.removed(key);
}

/** The row of a key that belongs to another engine or framework. */
export function foreignVerlEngineField(key: string): ForeignField | undefined {
  return verlEngineTable.foreign(key);
}

/** True for keys that Hydra consumes at any level, whatever the dataclass declares. */
export function isHydraKey(lastSegment: string): boolean {
  return hydraKeys.has(lastSegment);
}

/** Names of the keys directly under `prefix` ("" for the block itself). */
export function verlEngineKeysUnder(prefix: string): readonly string[] {
  return verlEngineTable.keysUnder(prefix);
}
