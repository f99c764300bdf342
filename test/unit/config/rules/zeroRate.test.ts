import { describe, expect, it } from "vitest";
import { dividesBy, isZero, zeroRateFinding } from "../../../../src/core/config/rules/zeroRate.js";
import { summaryOf } from "../checkedText.js";
import { trainingSummary } from "../veomni/checkedTraining.js";

const text = (value: string) => ({ type: "str", value }) as const;
const number = (value: number) => ({ type: "float", value }) as const;

describe("isZero", () => {
  it("knows numbers that are 0, and nothing else", () => {
    expect([number(0), { type: "int", value: 0 } as const].map(isZero)).toEqual([true, true]);
    expect([number(1e-9), text("0"), undefined].map(isZero)).toEqual([false, false, false]);
  });
});

describe("dividesBy", () => {
  it.each([
    ["cosine", 0, "the cosine schedule"],
    ["linear", 0, "the linear schedule"],
    ["constant", 0, undefined],
    ["constant", 0.1, "the warm-up"],
    ["brand_new", 0.1, undefined],
  ])("%s with a warm-up of %d", (schedule, share, expected) => {
    expect(dividesBy(text(schedule), number(share))).toBe(expected);
  });

  it("does not know what the run fills in", () => {
    expect(dividesBy(undefined, number(0.1))).toBeUndefined();
  });
});

describe("zeroRateFinding", () => {
  it("says what divides and what takes a rate of 0", () => {
    expect(zeroRateFinding({ start: 1, end: 2 }, "lr", "the warm-up", "constant").message).toBe(
      "lr must be above 0: the warm-up divides by it, so building the scheduler raises ZeroDivisionError. constant without warm-up takes 0.",
    );
  });

  it("stands in the files of both frameworks", () => {
    expect(
      summaryOf("zero-rate", "engine: {_target_: verl.workers.config.VeOmniEngineConfig}\noptim:\n  lr: 0.0\n"),
    ).toEqual(["error zero-rate|0.0"]);
    const optimizer = { model: ["optimizer:", "  lr: 0.0", "  lr_decay_style: cosine"] };
    expect(trainingSummary(optimizer, "zero-rate")).toEqual(["error zero-rate|0.0"]);
  });
});
