import { describe, expect, it } from "vitest";
import type { MemoryPart } from "../../../../src/core/base/memoryParts.js";
import type { PartColumns } from "../../../../src/core/timeline/columns/columns.js";
import { sliceMemory } from "../../../../src/core/timeline/query/memorySlices.js";
import { partTotals, sliceParts } from "../../../../src/core/timeline/query/partSlices.js";

const names: readonly MemoryPart[] = ["logits", "parameters", "gradients", "headGradient"];
const [LOGITS, PARAMETERS, GRADIENTS, HEAD_GRADIENT] = [0, 1, 2, 3];

/** A start with parameters; logits come, a gradient of the head comes, becomes one of the model, logits go. */
const parts: PartColumns = {
  names,
  startBytes: [0, 100, 0, 0],
  part: Uint8Array.of(PARAMETERS, LOGITS, HEAD_GRADIENT, HEAD_GRADIENT, GRADIENTS, LOGITS),
  partBytes: Float64Array.of(100, 50, 30, 0, 30, 0),
};
const curve = {
  of: "device" as const,
  timeNs: Float64Array.of(0, 10, 20, 30, 30, 40),
  bytes: Float64Array.of(100, 150, 180, 180, 180, 130),
  parts,
};

describe("sliceParts", () => {
  it("gives what each part holds after the changes asked for, stacked from what stays to what goes", () => {
    const slices = sliceParts(parts, [0, 1, 4], [1, 4, 5]);
    expect(slices.map(({ what, highBytes, lastBytes }) => [what, [...highBytes], [...lastBytes]])).toEqual([
      ["parameters", [100, 100, 100], [100, 100, 100]],
      ["gradients", [0, 0, 30], [0, 30, 30]],
      ["logits", [0, 50, 50], [50, 50, 0]],
      ["headGradient", [0, 0, 0], [0, 0, 0]],
    ]);
  });

  it("leaves out what never holds anything", () => {
    const idle: PartColumns = { ...parts, names: [...names, "optimizerStates"], startBytes: [0, 100, 0, 0, 0] };
    expect(sliceParts(idle, [5], [5]).map(({ what }) => what)).not.toContain("optimizerStates");
  });

  it("adds up to the curve at every slice, also where bytes move from one part to another within it", () => {
    for (const pixelNs of [1, 10, 25, 100]) {
      const { highBytes, lastBytes, parts: sliced = [] } = sliceMemory(curve, 0, 100, pixelNs);
      const sum = (of: "highBytes" | "lastBytes", at: number) =>
        sliced.reduce((total, part) => total + (part[of][at] ?? 0), 0);
      expect(Array.from(highBytes, (_, at) => sum("highBytes", at))).toEqual([...highBytes]);
      expect(Array.from(lastBytes, (_, at) => sum("lastBytes", at))).toEqual([...lastBytes]);
    }
  });
});

describe("partTotals", () => {
  it("tells the peak from the most that a part ever holds", () => {
    expect(partTotals(parts, 2)).toEqual([
      { what: "parameters", peakBytes: 100, mostBytes: 100 },
      { what: "gradients", peakBytes: 0, mostBytes: 30 },
      { what: "logits", peakBytes: 50, mostBytes: 50 },
      { what: "headGradient", peakBytes: 30, mostBytes: 30 },
    ]);
  });
});
