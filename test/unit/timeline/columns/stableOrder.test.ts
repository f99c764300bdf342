import { describe, expect, it } from "vitest";
import { sortByKey } from "../../../../src/core/timeline/columns/stableOrder.js";

describe("sortByKey", () => {
  it.each([10, 5_000, 100_000])("sorts %i keys like a stable comparison", (count) => {
    let state = 7;
    const keys = Float64Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state % 5 === 0 ? state % 10 : state * 4_096 + 0.5;
    });
    const identity = Array.from(keys, (_, at) => at);
    const expected = [...identity].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    expect(Array.from(sortByKey(Uint32Array.from(identity), keys))).toEqual(expected);
  });
});
