import { describe, expect, it } from "vitest";
import { pinnedBlockBytes, simulatePool } from "../../../../src/core/modules/estimate/pinnedPool.js";

const MiB = 2 ** 20;
const buffers = (count: number, bytes: number) => Array.from({ length: count }, () => bytes);
const totals = (limit: number) => {
  const steps = simulatePool(buffers(27, 32 * MiB), limit, 7);
  const sum = (key: "allocations" | "reuses" | "evictions" | "drops") =>
    steps.reduce((all, step) => all + step[key], 0);
  return { counts: [sum("allocations"), sum("reuses"), sum("evictions"), sum("drops")], idle: steps.at(-1)?.idleBytes };
};

describe("simulatePool", () => {
  // Counters of seven measured steps with 27 buffers of 32 MiB.
  it.each([
    [4096 * MiB, [27, 162, 0, 0], 905_969_664],
    [0, [189, 0, 0, 189], 0],
    [256 * MiB, [141, 48, 133, 0], 268_435_456],
  ])("equals the recorded counters with a limit of %i bytes", (limit, counts, idle) => {
    expect(totals(limit)).toEqual({ counts, idle });
  });

  it("drops buffers above the limit and evicts the least recent size first", () => {
    expect(simulatePool([10], 9, 1)).toEqual([{ allocations: 1, reuses: 0, evictions: 0, drops: 1, idleBytes: 0 }]);
    const [first, second] = simulatePool([4, 6, 6], 12, 2);
    expect(first).toMatchObject({ allocations: 3, evictions: 1, idleBytes: 10 });
    expect(second).toMatchObject({ allocations: 1, reuses: 2 });
  });

  it("has nothing to do without buffers", () => {
    expect(simulatePool([], 0, 1)).toEqual([{ allocations: 0, reuses: 0, evictions: 0, drops: 0, idleBytes: 0 }]);
  });
});

describe("pinnedBlockBytes", () => {
  it("rounds up to a power of two", () => {
    expect([0, 1, 2, 3, 32 * MiB, 34_816_000].map(pinnedBlockBytes)).toEqual([0, 1, 2, 4, 32 * MiB, 64 * MiB]);
    // 27 buffers of 17,000 tokens: 1.69 GiB pinned, as measured.
    expect(27 * pinnedBlockBytes(17_000 * 1024 * 2)).toBe(1_811_939_328);
  });
});
