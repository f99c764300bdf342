import { describe, expect, test } from "vitest";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import type { ProfileRequest } from "../../../src/core/profile/request.js";
import type { StrategyName } from "../../../src/core/profile/strategies.js";
import { DEFAULT_GRID, type SweepGrid } from "../../../src/core/sweep/grid.js";
import { runSweep, type Simulate, type SweepWishes } from "../../../src/core/sweep/runSweep.js";
import { sampleResult, sampleRun } from "../profile/sampleResult.js";

const base = { configJson: "{}", device: "sim:H200", seqLens: [8192] };
const MIB = 1024 ** 2;

/** An engine that answers every request at once: checkpointing saves memory and costs time, offload does a little of both. */
function engine(asked: ProfileRequest[]): Simulate {
  return async (request) => {
    asked.push(request);
    const runs = (request.strategies ?? []).flatMap((strategy) =>
      (request.gradientCheckpointing === "both" ? [true, false] : [true]).map((gradientCheckpointing) => {
        const isOffloaded = strategy === "veomni_async";
        return sampleRun({
          strategy: strategy as StrategyName,
          gradientCheckpointing,
          patterns: isOffloaded ? (request.patterns ?? ["model.layers.{*}"]) : null,
          stepMs: { median: (gradientCheckpointing ? 120 : 100) + (isOffloaded ? 5 : 0), samples: [1] },
          peakBytes: (gradientCheckpointing ? 20 : 60) * MIB - (isOffloaded && gradientCheckpointing ? 5 * MIB : 0),
        });
      }),
    );
    const { device } = sampleResult([]);
    return succeed(
      sampleResult(runs, { device: { ...device, kind: "sim", name: "H200", source: "s", memoryBytes: 50 * MIB } }),
    );
  };
}

const grid = { ...DEFAULT_GRID, strategies: ["none", "veomni_async"] } as const;

test("all points, the front, and the fastest within the memory of the device", async () => {
  const asked: ProfileRequest[] = [];
  const outcome = await runSweep(engine(asked), base, grid, { budgetBytes: undefined });
  if (!outcome.ok) throw new Error(outcome.problem.code);
  const { points, front, best, budgetBytes, explanation, device } = outcome.value;
  // A probe, one request for `none`, and one for each patterns and limit.
  expect(asked).toHaveLength(1 + 1 + 6);
  expect(points).toHaveLength(2 + 6 * 2);
  expect(budgetBytes).toBe(50 * MIB);
  expect(points[best ?? -1]).toMatchObject({ strategy: "none", gradientCheckpointing: true, fits: true });
  expect(front.map((index) => points[index]?.peakBytes)).toEqual([15 * MIB, 20 * MIB, 60 * MIB]);
  expect(explanation).toMatch(/^Choose checkpointing on, no offload: /);
  expect(device).toEqual({ name: "H200", source: "s" });
});

test("a budget of the user counts instead", async () => {
  const outcome = await runSweep(engine([]), base, grid, { budgetBytes: 16 * MIB });
  if (!outcome.ok) throw new Error(outcome.problem.code);
  expect(outcome.value.points[outcome.value.best ?? -1]).toMatchObject({ strategy: "veomni_async" });
});

test("the first refusal ends it, and so does a cancel", async () => {
  const problem = { code: "MODEL_DIMENSIONS", message: "m", nextStep: "n" };
  const refused = await runSweep(async () => fail(problem), base, grid, { budgetBytes: undefined });
  expect(refused).toEqual({ ok: false, problem });
  const done: number[] = [];
  const cancelled = await runSweep(
    engine([]),
    base,
    grid,
    { budgetBytes: undefined },
    (count) => done.push(count),
    () => done.length > 2,
  );
  expect(cancelled).toMatchObject({ ok: false, problem: { code: "CANCELLED" } });
  expect(done).toEqual([0, 1, 2]);
});

test("a cancel while a request runs counts, whatever that request then ends with", async () => {
  let isCancelled = false;
  const asked: ProfileRequest[] = [];
  const answer = engine(asked);
  const ended: Simulate = async (request) => {
    if (asked.length < 2) return answer(request);
    isCancelled = true;
    return fail({ code: "SIMULATION_SUPERSEDED", message: "m", nextStep: "n" });
  };
  const outcome = await runSweep(
    ended,
    base,
    grid,
    { budgetBytes: undefined },
    () => undefined,
    () => isCancelled,
  );
  expect(outcome).toMatchObject({ ok: false, problem: { code: "CANCELLED" } });
  expect(asked).toHaveLength(2);
});

describe("a model of one layer", () => {
  const tooFew = {
    code: "TOO_FEW_LAYERS",
    message: "verl_sync needs at least 3 layers.",
    cause: "The model has 1.",
    nextStep: "Profile more --layers.",
  };
  const empty = { code: "SELECTION_EMPTY", message: "activation_offload_modules selects no module.", nextStep: "n" };

  /** Refuses what one layer has no place for, as the engine does: the whole request. */
  function small(asked: ProfileRequest[]): Simulate {
    const answer = engine(asked);
    return async (request) => {
      if (request.strategies?.includes("verl_sync")) return fail(tooFew);
      if (request.patterns?.[0] === "model.layers.*[13579]") return fail(empty);
      return answer(request);
    };
  }

  const strategies = ["none", "veomni_async", "verl_sync", "save_on_cpu"] as const;
  const sweep = (named: NonNullable<SweepWishes["named"]>, change: Partial<SweepGrid> = {}) =>
    runSweep(
      small([]),
      base,
      { ...DEFAULT_GRID, strategies, microBatches: [1, 2], ...change },
      {
        budgetBytes: undefined,
        named,
      },
    );

  test("leaves out what does not apply, each once and with its reason, and simulates the rest", async () => {
    const outcome = await sweep([]);
    if (!outcome.ok) throw new Error(outcome.problem.code);
    const { points, leftOut } = outcome.value;
    expect(leftOut).toEqual([
      {
        strategy: "verl_sync",
        patternSet: null,
        code: "TOO_FEW_LAYERS",
        message: "verl_sync needs at least 3 layers. The model has 1.",
      },
      {
        strategy: "veomni_async",
        patternSet: "second",
        code: "SELECTION_EMPTY",
        message: "veomni_async on every second layer selects nothing: the model has too few layers.",
      },
    ]);
    expect(points).toHaveLength(2 * 2 * (2 + 2 * 2));
    expect(new Set(points.map(({ strategy }) => strategy))).toEqual(new Set(["none", "save_on_cpu", "veomni_async"]));
  });

  test("what was named and never applies is an error; naming a strategy says nothing of its pattern sets", async () => {
    expect(await sweep(["none", "verl_sync"])).toEqual({ ok: false, problem: tooFew });
    expect(await sweep(["second"])).toMatchObject({
      ok: false,
      problem: { code: "SELECTION_EMPTY", message: expect.stringContaining("every second layer selects nothing") },
    });
    expect(await sweep(["veomni_async"])).toMatchObject({ ok: true });
    expect(await sweep(["veomni_async"], { patternSets: ["second"] })).toMatchObject({ ok: false });
  });

  test("a grid of which nothing is left is an error", async () => {
    expect(await sweep([], { strategies: ["verl_sync"] })).toEqual({ ok: false, problem: tooFew });
  });
});
