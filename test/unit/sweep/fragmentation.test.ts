import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { median } from "../../../src/core/base/noise.js";
import { fitOf, RESERVED_SHARE } from "../../../src/core/sweep/fragmentation.js";

interface Run {
  readonly peakBytes: number;
  readonly reservedBytes: number;
}

it("is what was reserved beside what was allocated in the recorded steps", () => {
  const { runs } = JSON.parse(readFileSync("test/fixtures/reserved-runs.json", "utf8")) as {
    readonly runs: readonly Run[];
  };
  const shares = runs.map(({ peakBytes, reservedBytes }) => reservedBytes / peakBytes);
  const rounded = (share: number) => Math.round(share * 100) / 100;
  expect({
    least: rounded(Math.min(...shares)),
    median: rounded(median(shares)),
    most: rounded(Math.max(...shares)),
    runs: runs.length,
  }).toEqual(RESERVED_SHARE);
});

it.each([
  [75, "surely"],
  [75.3, "barely"],
  [100, "barely"],
  [100.1, "not"],
])("a peak of %d in 100", (peakBytes, fit) => {
  expect(fitOf(peakBytes, 100)).toBe(fit);
});
