import { describe, expect, test } from "vitest";
import {
  DEFAULT_GRID,
  gridProblem,
  MOST_SIMULATED_STEPS,
  patternsOf,
  type SweepGrid,
  sweepRequests,
} from "../../../src/core/sweep/grid.js";

const base = { configJson: "{}", device: "sim:H200" };
const layers = { list: "model.layers", count: 36 };

test("strategies that select nothing run once per micro-batch, veomni_async for each patterns and limit", () => {
  const grid: SweepGrid = { ...DEFAULT_GRID, microBatches: [1, 2] };
  const requests = sweepRequests(base, grid, layers);
  expect(requests).toHaveLength(2 * (1 + 3 * 2));
  const [others, first] = requests;
  expect(others?.request.strategies).toEqual(["none", "verl_sync", "verl_double_buffer", "save_on_cpu"]);
  expect(first?.request).toMatchObject({
    strategies: ["veomni_async"],
    patterns: ["model.layers.{*}"],
    cacheLimitGb: 4,
  });
  expect(requests.at(-1)?.request).toMatchObject({ microBatch: 2, cacheLimitGb: 0.25, gradientCheckpointing: "both" });
});

test("lengths that vary take turns, behind the warm-up", () => {
  const [request] = sweepRequests({ ...base, seqLens: [8192, 4096, 6000] }, DEFAULT_GRID, layers);
  expect(request?.request.steps).toBe(8);
});

test("the product of all lists is bounded, and said with its factors", () => {
  const many = [...Array(32).keys()].map((index) => index + 1);
  const grid: SweepGrid = { ...DEFAULT_GRID, microBatches: many, cacheLimitsGb: many };
  expect(gridProblem(grid, 32)).toEqual({
    code: "SWEEP_TOO_LARGE",
    message: "This grid has 6400 points of 66 steps each, 422400 simulated steps in all; at most 10000 are simulated.",
    nextStep:
      "Give fewer values to --micro-batch, --cache-limit-gb or --seq, or name what is in question with --strategy, --patterns and --gc.",
  });
  expect(gridProblem(DEFAULT_GRID, 32)).toBeUndefined();
  // What is counted is what is asked for.
  const asked = sweepRequests({ ...base, seqLens: many }, grid, layers)
    .map(({ request, strategies }) => strategies.length * 2 * (request.steps ?? 0))
    .reduce((sum, steps) => sum + steps, 0);
  expect(asked).toBe(422_400);
  const atLimit = { ...DEFAULT_GRID, strategies: ["none"], checkpointing: "on", microBatches: many } as const;
  expect(gridProblem({ ...atLimit, microBatches: Array(MOST_SIMULATED_STEPS / 4).fill(1) }, 1)).toBeUndefined();
  expect(gridProblem({ ...atLimit, microBatches: Array(MOST_SIMULATED_STEPS / 2).fill(1) }, 1)?.code).toBe(
    "SWEEP_TOO_LARGE",
  );
});

describe("pattern sets", () => {
  /** What a list of globs selects of `0` to `count - 1`. */
  function selected(patterns: readonly string[], count: number): readonly number[] {
    const tests = patterns.map((pattern) => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`));
    return [...Array(count).keys()].filter((index) => tests.some((each) => each.test(`model.layers.${index}`)));
  }

  test.each([2, 4, 19, 20, 36, 61, 128, 1000])("halves and seconds of %i layers", (count) => {
    const names = { list: "model.layers", count };
    const all = [...Array(count).keys()];
    expect(selected(patternsOf("half", names), count)).toEqual(all.slice(0, Math.floor(count / 2)));
    expect(selected(patternsOf("second", names), count)).toEqual(all.filter((index) => index % 2 === 1));
    expect(patternsOf("all", names)).toEqual(["model.layers.{*}"]);
  });
});
