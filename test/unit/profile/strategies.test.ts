import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  ASYNC_OFFLOAD,
  DEFAULT_STRATEGIES,
  describeStrategy,
  isStrategyName,
  NO_OFFLOAD,
  STRATEGIES,
  STRATEGY_NAMES,
} from "../../../src/core/profile/strategies.js";
import { SHAPES } from "../../../src/webview/sweep/plot.js";

describe("strategies", () => {
  it("are those of the engine's table, in its order, with the usual ones by default", () => {
    expect(STRATEGY_NAMES).toEqual(["none", "veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"]);
    expect(DEFAULT_STRATEGIES).toEqual([NO_OFFLOAD, ASYNC_OFFLOAD]);
    expect(STRATEGIES.veomni_async.selectsModules).toBe(true);
    expect(describeStrategy("none")).toBe("keeps everything on the device");
    expect(describeStrategy("verl_sync")).toBe("verl: everything that a layer saves, on the compute stream");
  });

  it("have a shape and a colour in the plot of a sweep, each its own shape", () => {
    const css = readFileSync(new URL("../../../src/webview/sweep/sweep.css", import.meta.url), "utf8");
    for (const name of STRATEGY_NAMES) {
      expect(Object.keys(SHAPES), name).toContain(STRATEGIES[name].mark);
      expect(css, name).toContain(`.mark-${STRATEGIES[name].colour} {`);
    }
    expect(new Set(STRATEGY_NAMES.map((name) => STRATEGIES[name].mark)).size).toBe(STRATEGY_NAMES.length);
  });

  it("are names that a table has itself, not what every object has", () => {
    expect(["none", "toString", "constructor", "", "None"].filter(isStrategyName)).toEqual(["none"]);
  });
});

describe("a strategy that is one more row of the table", () => {
  afterEach(() => {
    vi.doUnmock("../../../src/core/profile/strategies.json");
    vi.resetModules();
  });

  it("is taken by arguments, grid, saved profiles, points and their sentences, and has its place in the plot", async () => {
    const row = {
      ...STRATEGIES.veomni_async,
      framework: "Test",
      description: "a new one",
      mark: "star",
      colour: "red",
    };
    vi.resetModules();
    vi.doMock("../../../src/core/profile/strategies.json", () => ({ default: { ...STRATEGIES, fake_async: row } }));
    const { readArguments } = await import("../../../src/core/base/readFlags.js");
    const { profileTable } = await import("../../../src/core/profile/profileArguments.js");
    const { DEFAULT_GRID, sweepRequests } = await import("../../../src/core/sweep/grid.js");
    const { describePoint } = await import("../../../src/core/sweep/explain.js");
    const { containerRun } = await import("../../../src/core/timeline/container/containerSchema.js");
    const fresh = await import("../../../src/core/profile/strategies.js");

    const parsed = readArguments(profileTable, ["--model", "m", "--strategy", "fake_async"]);
    expect(parsed).toMatchObject({ kind: "request", request: { settings: { strategies: ["fake_async"] } } });
    expect(DEFAULT_GRID.strategies).toContain("fake_async");
    const layers = { list: "model.layers", count: 4 };
    const requests = sweepRequests({ configJson: "{}", device: "sim:H200" }, DEFAULT_GRID, layers);
    const own = requests.filter(({ strategies }) => strategies.join() === "fake_async");
    expect(own).toHaveLength(DEFAULT_GRID.patternSets.length * DEFAULT_GRID.cacheLimitsGb.length);
    expect(containerRun.shape.strategy.safeParse("fake_async").success).toBe(true);
    expect(containerRun.shape.strategy.safeParse("other").success).toBe(false);
    const point = {
      strategy: "fake_async",
      gradientCheckpointing: true,
      patternSet: "half",
      cacheLimitGb: 4,
      microBatch: 1,
    };
    expect(describePoint(point as never)).toContain("fake_async on the first half of the layers");
    expect(fresh.describeStrategy("fake_async" as never)).toBe("Test: a new one");
  });
});
