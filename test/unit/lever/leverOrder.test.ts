import { describe, expect, it } from "vitest";
import { compareLevers, lowersPeak, type OrderedChange } from "../../../src/core/lever/leverOrder.js";

function change(peakBytesAfter: number, costMsAfter: number): OrderedChange {
  return { peakBytesBefore: 1000, peakBytesAfter, costMsBefore: 100, costMsAfter };
}

function sorted(...changes: OrderedChange[]): number[] {
  return changes.sort(compareLevers).map(({ peakBytesAfter }) => peakBytesAfter);
}

describe("the order of levers", () => {
  it("puts the largest saving first among what costs no time that is known", () => {
    expect(sorted(change(900, 90), change(500, 108), change(700, 100))).toEqual([500, 700, 900]);
  });

  it("goes by bytes per millisecond where time is lost", () => {
    // 400 bytes for 40 ms, 300 for 20 ms, 10 for nothing.
    expect(sorted(change(600, 140), change(700, 120), change(990, 100))).toEqual([700, 600, 990]);
  });

  it("has no step at its bound: just beyond a tenth a saving counts hardly less", () => {
    expect(sorted(change(400, 111), change(800, 101))).toEqual([400, 800]);
    expect(sorted(change(400, 160), change(800, 101))).toEqual([800, 400]);
  });

  it("puts the faster of two equal savings first", () => {
    const [first] = [change(500, 103), change(500, 101)].sort(compareLevers);
    expect(first?.costMsAfter).toBe(101);
  });

  it("calls half a percent of the peak no saving", () => {
    expect([990, 996, 1000, 1100].map((peak) => lowersPeak(change(peak, 100)))).toEqual([true, false, false, false]);
  });
});
