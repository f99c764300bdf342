import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Intervals,
  intersect,
  subtract,
  totalNs,
  UnionBuilder,
} from "../../../../src/core/timeline/columns/intervals.js";

function unionOf(pairs: readonly (readonly [number, number])[]): Intervals {
  const union = new UnionBuilder();
  for (const [start, end] of [...pairs].sort((a, b) => a[0] - b[0])) union.add(start, end);
  return union.build();
}

function pairsOf(intervals: Intervals): number[][] {
  return Array.from(intervals.startNs, (start, at) => [start, intervals.endNs[at] ?? Number.NaN]);
}

/** The same set, one bit per nanosecond: slow and obviously right. */
function bitsOf(pairs: readonly (readonly [number, number])[]): boolean[] {
  return Array.from({ length: 60 }, (_, ns) => pairs.some(([start, end]) => start <= ns && ns < end));
}

const anyPairs = fc.array(
  fc.tuple(fc.nat(40), fc.nat(12)).map(([start, length]): [number, number] => [start, start + length]),
  { maxLength: 12 },
);

describe("intervals", () => {
  it("joins what touches and drops what is empty", () => {
    expect(
      pairsOf(
        unionOf([
          [0, 2],
          [2, 4],
          [3, 3],
          [9, 9],
          [6, 8],
          [6, 7],
        ]),
      ),
    ).toEqual([
      [0, 4],
      [6, 8],
    ]);
  });

  it("intersects and subtracts as sets of nanoseconds do", () => {
    fc.assert(
      fc.property(anyPairs, anyPairs, (left, right) => {
        const [from, cover] = [unionOf(left), unionOf(right)];
        const [fromBits, coverBits] = [bitsOf(left), bitsOf(right)];
        expect(bitsOf(pairsOf(intersect(from, cover)) as [number, number][])).toEqual(
          fromBits.map((bit, ns) => bit && coverBits[ns]),
        );
        expect(bitsOf(pairsOf(subtract(from, cover)) as [number, number][])).toEqual(
          fromBits.map((bit, ns) => bit && !coverBits[ns]),
        );
        expect(totalNs(from)).toBe(fromBits.filter(Boolean).length);
      }),
    );
  });
});
