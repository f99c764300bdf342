import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteTicks, formatApart, formatTick, timeTicks } from "../../../../src/core/timeline/query/ticks.js";

const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u2212", "-");

describe("timeTicks", () => {
  it("steps by 1, 2 or 5 times a power of ten", () => {
    expect(timeTicks(0, 1000, 5)).toEqual({ values: [0, 200, 400, 600, 800, 1000], step: 200 });
    expect(timeTicks(130, 170, 10).step).toBe(5);
  });

  it("stays inside the range and within the number asked for", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.double({ min: 1, max: 1e12, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (from, span, most) => {
          const { values } = timeTicks(from, from + span, most);
          expect(values.length).toBeLessThanOrEqual(most + 1);
          for (const value of values) expect(value).toBeGreaterThanOrEqual(from - span * 1e-6);
        },
      ),
    );
  });

  it("has none for an empty range", () => {
    expect(timeTicks(5, 5, 10).values).toEqual([]);
  });
});

describe("byteTicks", () => {
  it("steps by powers of two", () => {
    expect(byteTicks(0, 3 * 2 ** 30, 3).values).toEqual([0, 2 ** 30, 2 ** 31, 3 * 2 ** 30]);
    expect(byteTicks(0, 0, 3).values).toEqual([0]);
    expect(byteTicks(300, 700, 3).values).toEqual([512]);
  });
});

describe("formatTick", () => {
  it("uses the unit of the step, with the digits that tell ticks apart", () => {
    expect(plain(formatTick(12_500_000, 500_000))).toBe("12.5 ms");
    expect(plain(formatTick(12_000_000, 2_000_000))).toBe("12 ms");
    expect(plain(formatTick(1_250, 50))).toBe("1250 ns");
    expect(plain(formatTick(0, 1e9))).toBe("0 s");
    expect(plain(formatTick(1_904_000, 2_000, 500_000))).toBe("1.904 ms");
  });
});

describe("formatApart", () => {
  const apart = (...times: number[]) => formatApart(times).map(plain);

  it("has as many digits as the nearest two need, and at least three", () => {
    expect(apart(2_043_100_000, 2_041_900_000)).toEqual(["2.043 s", "2.042 s"]);
    expect(apart(2_043_100_000)).toEqual(["2.04 s"]);
    expect(apart(10, 5)).toEqual(["10 ns", "5 ns"]);
    expect(apart(7_500_000_000, 7_500_000_300)).toEqual(["7500.0000 ms", "7500.0003 ms"]);
    expect(apart()).toEqual([]);
  });

  it("gives different times different texts", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -1e13, max: 1e13 }), { maxLength: 16 }), (times) => {
        expect(new Set(formatApart(times)).size).toBe(times.length);
      }),
    );
  });
});
