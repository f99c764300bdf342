import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { trainingText } from "../../../../../src/core/config/veomni/rules/trainingExample.js";

function zeroRates(...lines: readonly string[]): readonly string[] {
  const text = trainingText({ model: ["optimizer:", ...lines.map((line) => `  ${line}`)] });
  const found = checkDocument("train.yaml", text)?.diagnostics.filter(({ code }) => code === "zero-rate") ?? [];
  return found.map(({ severity, message, span }) => `${severity} ${text.slice(span.start, span.end)}: ${message}`);
}

describe("zero-rate", () => {
  it.each([
    [["lr: 0.0", "lr_decay_style: cosine"], "the cosine schedule"],
    [["lr: 0", "lr_decay_style: linear"], "the linear schedule"],
    [["lr: 0.0", "lr_warmup_ratio: 0.1"], "the warm-up"],
  ])("%j is divided by", (lines, reason) => {
    const [first, ...others] = zeroRates(...lines);
    expect(others).toEqual([]);
    expect(first).toMatch(/^error 0(?:\.0)?: .*must be above 0: /);
    expect(first).toContain(`${reason} divides by it`);
    expect(first).toContain("lr_decay_style constant without warm-up takes 0.");
  });

  it.each([
    [["lr: 0.0", "lr_decay_style: constant"]],
    [["lr: 0.0"]],
    [["lr: 1.0e-6", "lr_decay_style: cosine"]],
    [["lr: 0.0", "lr_decay_style: mine", "lr_warmup_ratio: 0.1"]],
  ])("%j is not", (lines) => {
    expect(zeroRates(...lines)).toEqual([]);
  });
});
