import { describe, expect, it } from "vitest";
import { axisOf, toldApart } from "../../../../src/webview/sweep/plotLayout.js";

describe("axisOf", () => {
  it("begins where the data is", () => {
    const { from, to, ticks } = axisOf([30, 34, 32.5]);
    expect(from).toBeGreaterThan(29);
    expect(from).toBeLessThan(30);
    expect(to).toBeGreaterThan(34);
    expect(to).toBeLessThan(35);
    expect(ticks).toEqual([30, 31, 32, 33, 34]);
  });

  it("does not blow a difference within the simulation's range up to the whole width", () => {
    const { from, to } = axisOf([100, 100.4]);
    expect(to - from).toBeGreaterThanOrEqual(10);
    expect(from).toBeLessThan(100);
    expect(to).toBeGreaterThan(100.4);
  });

  it("begins at zero where the data nearly does", () => {
    expect(axisOf([0.2, 12]).from).toBe(0);
  });

  it.each([[[]], [[0]], [[7]], [[1e-6]], [[4.1e12, 4.2e12]], [[5, Number.NaN]]])(
    "has ticks within for %j",
    (values) => {
      const { from, to, ticks } = axisOf(values);
      expect(to).toBeGreaterThan(from);
      expect(ticks.length).toBeLessThanOrEqual(12);
      for (const tick of ticks) {
        expect(tick).toBeGreaterThanOrEqual(from);
        expect(tick).toBeLessThanOrEqual(to);
      }
    },
  );
});

describe("toldApart", () => {
  it("leaves marks that have their place to themselves", () => {
    const places = [
      { x: 0, y: 0 },
      { x: 20, y: 0 },
    ];
    expect(toldApart(places)).toEqual(places);
  });

  it.each([2, 3, 7, 24])("draws %i marks of one place side by side around it", (count) => {
    const drawn = toldApart(Array.from({ length: count }, () => ({ x: 50, y: 80 })));
    for (const [at, one] of drawn.entries()) {
      for (const other of drawn.slice(at + 1)) {
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(12.9);
      }
    }
    expect(drawn.reduce((sum, { x }) => sum + x, 0) / count).toBeCloseTo(50);
    expect(drawn.reduce((sum, { y }) => sum + y, 0) / count).toBeCloseTo(80);
  });

  it("does not join a chain of near marks into one ring", () => {
    const drawn = toldApart(Array.from({ length: 30 }, (_, index) => ({ x: 6 * index, y: 0 })));
    for (const [index, { x }] of drawn.entries()) expect(Math.abs(x - 6 * index)).toBeLessThan(15);
  });
});
