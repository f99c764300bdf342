import { describe, expect, it } from "vitest";
import { compareLevers, lowersPeak, type OrderedChange } from "../../../src/core/lever/leverOrder.js";

function change(peakBytesAfter: number, costMsAfter: number, trend: OrderedChange["trend"]): OrderedChange {
  return { peakBytesBefore: 1000, peakBytesAfter, costMsBefore: 100, costMsAfter, trend };
}

function sorted(...changes: OrderedChange[]): number[] {
  return changes.sort(compareLevers).map(({ peakBytesAfter }) => peakBytesAfter);
}

describe("the order of levers", () => {
  it("puts what costs no time that is known first, by bytes", () => {
    expect(sorted(change(900, 90, "better"), change(500, 108, "unclear"), change(700, 100, "same"))).toEqual([
      500, 700, 900,
    ]);
  });

  it("puts what costs time behind, by bytes per millisecond", () => {
    // 400 bytes for 40 ms, 300 for 20 ms, 10 for nothing.
    expect(sorted(change(600, 140, "worse"), change(700, 120, "worse"), change(990, 100, "same"))).toEqual([
      990, 700, 600,
    ]);
  });

  it("counts a step that is a tenth longer as a cost, though the ranges touch", () => {
    expect(sorted(change(400, 112, "unclear"), change(800, 101, "unclear"))).toEqual([800, 400]);
    expect(sorted(change(400, 109, "unclear"), change(800, 101, "unclear"))).toEqual([400, 800]);
  });

  it("puts the faster of two equal savings first", () => {
    const [first] = [change(500, 103, "unclear"), change(500, 101, "unclear")].sort(compareLevers);
    expect(first?.costMsAfter).toBe(101);
  });

  it("calls half a percent of the peak no saving", () => {
    expect([990, 996, 1000, 1100].map((peak) => lowersPeak(change(peak, 100, "same")))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
