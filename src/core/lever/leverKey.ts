import type { KeyValue } from "../config/write/keyEdit.js";

/** A key of a block's dialect that may move the peak or the step, and the values to try; what the file says already is tried for nothing. */
export interface LeverKey {
  /** Dotted, where the file has the key or would have it. */
  readonly key: string;
  readonly values: readonly KeyValue[];
  /** People expect a lower peak of it, and the step's peak does not know it: checked all the same. */
  readonly isNoLever?: true;
  /** Decides how the head works, and people set it for the peak: where it moves nothing, that is said. */
  readonly isOfHead?: true;
}

/** Sizes to try beside one: half of it, twice as much, and the least where that is known. */
export function neighbours(value: number | undefined, least?: number): readonly number[] {
  if (value === undefined) return [];
  const tried = [Math.floor(value / 2), ...(least === undefined ? [] : [least]), value * 2];
  return [...new Set(tried)].filter((each) => each >= (least ?? 1) && each !== value && Number.isSafeInteger(each));
}
