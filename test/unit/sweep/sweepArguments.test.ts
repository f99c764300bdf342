import { describe, expect, test } from "vitest";
import { describeProblem } from "../../../src/core/base/outcome.js";
import { readArguments } from "../../../src/core/base/readFlags.js";
import { STRATEGY_NAMES } from "../../../src/core/profile/strategies.js";
import { DEFAULT_GRID } from "../../../src/core/sweep/grid.js";
import { sweepTable } from "../../../src/core/sweep/sweepArguments.js";

function parsed(line: string) {
  return readArguments(
    sweepTable,
    line.split(" ").filter((word) => word !== ""),
  );
}

test("defaults: the whole grid on an H200", () => {
  expect(parsed("--config-json c.json")).toEqual({
    kind: "request",
    request: {
      model: { kind: "configJson", path: "c.json" },
      configPath: undefined,
      hasMicroBatches: false,
      base: { device: "sim:H200" },
      grid: DEFAULT_GRID,
      named: [],
      budgetBytes: undefined,
      json: false,
      levers: false,
      writePath: undefined,
    },
  });
});

test("every flag", () => {
  const line =
    "--model m --device sim:A100 --gc on --seq 8192,4096 --micro-batch 1,2 --layers 8 --cache-limit-gb 0,.25 --patterns all,half " +
    "--config job.yaml --memory-gib 80 --world-size 8 --sp 2 --optimizer-bytes 8 --op-model fused --strategy none,veomni_async --json --write c.yaml";
  expect(parsed(line)).toEqual({
    kind: "request",
    request: {
      model: { kind: "directory", path: "m" },
      configPath: "job.yaml",
      hasMicroBatches: true,
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
      levers: false,
      writePath: "c.yaml",
    },
  });
});

test("all strategies by one word are none by name, and each counts once", () => {
  const line = parsed("--model m --strategy all none");
  expect(line).toMatchObject({ kind: "request", request: { grid: { strategies: STRATEGY_NAMES }, named: ["none"] } });
});

function said(line: string): string {
  const read = parsed(line);
  return read.kind === "wrong" ? describeProblem(read.problem) : JSON.stringify(read);
}

describe("wrong usage says which values are right", () => {
  test.each([
    ["", "ARGUMENT_MISSING: sweep needs a model. Give --model DIR|ID or --config-json FILE."],
    ["--model m --config-json c", "FLAGS_CONFLICT: --model and --config-json exclude each other. Give one of them."],
    [
      "--model m --device cpu",
      "FLAG_VALUE_WRONG: --device does not take cpu. Use sim:NAME or sim:FILE.json, because a sweep is simulated.",
    ],
    [
      "--model m --op-model Fused!",
      "FLAG_VALUE_WRONG: --op-model does not take Fused!. Use a name such as hf-eager or fused.",
    ],
    ["--model m --seq 0", "FLAG_VALUE_WRONG: --seq does not take 0. Use a whole number from 1 to 1048576."],
    ["--model m --layers -1", "FLAG_VALUE_WRONG: --layers does not take -1. Use a whole number from 1 to 1024."],
    [
      "--model m --micro-batch 1,x",
      "FLAG_VALUE_WRONG: --micro-batch does not take x. Use a whole number from 1 to 4096.",
    ],
    [
      "--model m --world-size 4 --sp 3",
      "FLAGS_CONFLICT: --sp 3 does not divide --world-size, which is 4. Choose one that does.",
    ],
    [
      "--model m --memory-gib -1",
      "FLAG_VALUE_WRONG: --memory-gib does not take -1. Use a number from 0.001 to 1000000.",
    ],
    ["--model m --patterns third", "FLAG_VALUE_WRONG: --patterns does not take third. Use all, second or half."],
    ["--model m --patterns secnd", "FLAG_VALUE_WRONG: --patterns does not take secnd. Did you mean second?"],
    ["--model m --membry-gib 3", "FLAG_UNKNOWN: sweep has no flag --membry-gib. Did you mean --memory-gib?"],
    ["--model m --seq", "FLAG_VALUE_MISSING: --seq needs a value. Give --seq N[,N…]."],
    ["--model m --strategy", "FLAG_VALUE_MISSING: --strategy needs at least one value. Give --strategy S…."],
    [
      "--model m --strategy --json",
      "FLAG_VALUE_MISSING: --strategy needs at least one value. What follows, --json, is read as a flag. Give --strategy S…; a value that begins with -- is written --strategy=--….",
    ],
    [
      "--model m --strategy=",
      "FLAG_VALUE_WRONG: --strategy has an empty value. Use none, veomni_async, verl_sync, verl_double_buffer, save_on_cpu or all.",
    ],
    [
      "--model m --strategy veomni-async",
      "FLAG_VALUE_WRONG: --strategy does not take veomni-async. Did you mean veomni_async?",
    ],
    [
      "--model m --seq 1024,1048576 --micro-batch 1,4096",
      "FLAGS_CONFLICT: --seq times --micro-batch is 4294967296 tokens. Use at most 67108864 tokens.",
    ],
    ["--model m --model n", "FLAG_REPEATED: --model is given twice. Give it once."],
  ])("%s", (line, message) => {
    expect(said(line)).toBe(message);
  });

  test("a grid beyond the limit, with its code", () => {
    const many = [...Array(32).keys()].map((index) => index + 1).join(",");
    expect(said(`--model m --seq ${many} --micro-batch ${many} --cache-limit-gb ${many}`)).toMatch(
      /^SWEEP_TOO_LARGE: This grid has 6400 points of 66 steps each, 422400 /,
    );
  });
});
