import { describe, expect, it } from "vitest";
import { thinnedBand, thinnedIntervals } from "../../../../src/core/timeline/query/thinned.js";

const COUNT = 1_000_000;
const startNs = Float64Array.from({ length: COUNT }, (_, at) => at * 10);
const endNs = startNs.map((start, at) => start + (at === 777 ? 9 : 1));

describe("thinned pieces", () => {
  it("cover the same span with a bounded number of intervals", () => {
    const thinned = thinnedIntervals({ startNs, endNs });
    expect(thinned.startNs.length).toBeLessThanOrEqual(200_001);
    expect([thinned.startNs[0], thinned.endNs.at(-1)]).toEqual([0, endNs.at(-1)]);
    expect(thinned.startNs.every((start, at) => at === 0 || start >= (thinned.endNs[at - 1] ?? 0))).toBe(true);
  });

  it("are the long stretches of a band", () => {
    const layer = new Int32Array(COUNT);
    const long = endNs.map((end, at) => (at % 100_000 === 0 ? end + 500 : end));
    expect(thinnedBand({ startNs, endNs: long, layer }).startNs).toHaveLength(10);
  });

  it("are what they were where there are few", () => {
    const few = { startNs: startNs.subarray(0, 5), endNs: endNs.subarray(0, 5) };
    expect(thinnedIntervals(few)).toBe(few);
  });
});
