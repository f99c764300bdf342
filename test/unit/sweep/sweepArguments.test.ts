import { describe, expect, test } from "vitest";
import { STRATEGY_NAMES } from "../../../src/core/profile/strategies.js";
import { DEFAULT_GRID } from "../../../src/core/sweep/grid.js";
import { parseSweepArguments } from "../../../src/core/sweep/sweepArguments.js";

function parsed(line: string) {
  return parseSweepArguments(line.split(" ").filter((word) => word !== ""));
}

test("defaults: the whole grid on an H200", () => {
  expect(parsed("--config-json c.json")).toEqual({
    kind: "sweep",
    sweep: {
      model: { kind: "configJson", path: "c.json" },
      base: { device: "sim:H200" },
      grid: DEFAULT_GRID,
      named: [],
      budgetBytes: undefined,
      json: false,
      writePath: undefined,
    },
  });
});

test("every flag", () => {
  const line =
    "--model m --device sim:A100 --gc on --seq 8192,4096 --micro-batch 1,2 --layers 8 --cache-limit-gb 0,.25 --patterns all,half " +
    "--memory-gib 80 --world-size 8 --sp 2 --optimizer-bytes 8 --op-model fused --strategy none,veomni_async --json --write c.yaml";
  expect(parsed(line)).toEqual({
    kind: "sweep",
    sweep: {
      model: { kind: "directory", path: "m" },
      base: {
        device: "sim:A100",
        seqLens: [8192, 4096],
        layers: 8,
        worldSize: 8,
        sequenceParallel: 2,
        optimizerBytes: 8,
        opModel: "fused",
      },
      grid: {
        checkpointing: "on",
        strategies: ["none", "veomni_async"],
        patternSets: ["all", "half"],
        cacheLimitsGb: [0, 0.25],
        microBatches: [1, 2],
      },
      named: ["none", "veomni_async", "all", "half"],
      budgetBytes: 80 * 1024 ** 3,
      json: true,
      writePath: "c.yaml",
    },
  });
});

test("all strategies by one word are none by name, and each counts once", () => {
  const line = parsed("--model m --strategy all none");
  expect(line).toMatchObject({ kind: "sweep", sweep: { grid: { strategies: STRATEGY_NAMES }, named: ["none"] } });
});

describe("wrong usage says which values are right", () => {
  test.each([
    ["", "sweep needs a model: --model DIR|ID or --config-json FILE."],
    ["--model m --config-json c", "--model and --config-json exclude each other."],
    ["--model m --device cpu", "--device cpu: a sweep is simulated, use sim:NAME or sim:FILE.json."],
    ["--model m --op-model Fused!", "--op-model Fused!: use a name such as hf-eager or fused."],
    ["--model m --seq 0", "--seq 0: use a whole number from 1 to 1048576."],
    ["--model m --micro-batch 1,x", "--micro-batch x: use a whole number from 1 to 4096."],
    ["--model m --world-size 4 --sp 3", "--sp 3: it must divide --world-size, which is 4."],
    ["--model m --memory-gib -1", "--memory-gib -1: use a number from 0.001 to 1000000."],
    ["--model m --patterns third", "--patterns third: use all, second, half, separated by commas."],
    ["--model m --layers 1099511627776", "--layers 1099511627776: use a whole number from 1 to 1024."],
    ["--model m --membry-gib 3", "--membry-gib is not a flag of sweep. Did you mean --memory-gib?"],
    ["--model m --seq", "--seq needs a value."],
    ["--model m --strategy", "--strategy needs at least one value."],
    ["--model m --strategy --json", "--strategy needs at least one value."],
    [
      "--model m --strategy=",
      "--strategy  is not a strategy. Use one of none, veomni_async, verl_sync, verl_double_buffer, save_on_cpu, or all.",
    ],
    ["--model m --strategy veomni-async", "--strategy veomni-async is not a strategy. Did you mean veomni_async?"],
    [
      "--model m --seq 1024,1048576 --micro-batch 1,4096",
      "--seq times --micro-batch is 4294967296: use at most 67108864 tokens.",
    ],
    ["--model m --model n", "--model is given twice."],
  ])("%s", (line, message) => {
    expect(parsed(line)).toEqual({ kind: "wrong", message });
  });

  test("a grid beyond the limit, with its code", () => {
    const many = [...Array(32).keys()].map((index) => index + 1).join(",");
    expect(parsed(`--model m --seq ${many} --micro-batch ${many} --cache-limit-gb ${many}`)).toEqual({
      kind: "wrong",
      message: expect.stringMatching(/^SWEEP_TOO_LARGE: This grid has 6400 points of 66 steps each, 422400 /),
    });
  });
});
