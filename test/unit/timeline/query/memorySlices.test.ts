import { describe, expect, it } from "vitest";
import { bytesAt, peakOf, sliceMemory } from "../../../../src/core/timeline/query/memorySlices.js";

const curve = {
  of: "device" as const,
  timeNs: Float64Array.of(0, 10, 11, 12, 50, 50, 90),
  bytes: Float64Array.of(100, 200, 900, 150, 300, 400, 50),
};

describe("sliceMemory", () => {
  it("keeps peaks that are narrower than a pixel", () => {
    const slices = sliceMemory(curve, 0, 100, 20);
    expect(Array.from(slices.timeNs)).toEqual([0, 50, 90]);
    expect(Array.from(slices.highBytes)).toEqual([900, 400, 50]);
    expect(Array.from(slices.lowBytes)).toEqual([100, 300, 50]);
    expect(Array.from(slices.lastBytes)).toEqual([150, 400, 50]);
  });

  it("starts with the value that holds at the left edge", () => {
    const slices = sliceMemory(curve, 60, 80, 1);
    expect(Array.from(slices.timeNs)).toEqual([50]);
    expect(Array.from(slices.lastBytes)).toEqual([400]);
  });

  it("has nothing to show for an empty curve", () => {
    const empty = { of: "pinned" as const, timeNs: new Float64Array(), bytes: new Float64Array() };
    expect(sliceMemory(empty, 0, 1, 1).timeNs.length).toBe(0);
    expect(peakOf(empty)).toBeUndefined();
  });
});

describe("bytesAt", () => {
  it("takes the last of several changes at one time", () => {
    expect([-1, 0, 10, 49, 50, 1000].map((timeNs) => bytesAt(curve, timeNs))).toEqual([0, 100, 200, 150, 400, 50]);
  });
});

describe("peakOf", () => {
  it("finds the first highest value", () => {
    expect(peakOf(curve)).toEqual({ bytes: 900, timeNs: 11, change: 2 });
  });
});
