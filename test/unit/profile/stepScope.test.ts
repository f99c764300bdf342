import { expect, it } from "vitest";
import type { ProfileResult } from "../../../src/core/profile/result.js";
import { isStackOnly, stepScope } from "../../../src/core/profile/stepScope.js";
import { sampleResult } from "./sampleResult.js";

function resultOf(workload: Partial<ProfileResult["workload"]>): ProfileResult {
  const sample = sampleResult([]);
  return { ...sample, workload: { ...sample.workload, ...workload } };
}

it.each([
  [{}, "the decoder stack alone, without head, loss and optimizer"],
  [{ head: "hf_eager" }, "the whole step, head hf_eager, no optimizer"],
  [{ head: "none", optimizer: "adamw_loop" }, "the whole step, no head, adamw_loop"],
  [
    { head: "verl_torch", entropy: "eager", optimizer: "adamw_fused", accumulation: 2 },
    "the whole step, head verl_torch with entropy eager, adamw_fused, 2 micro-batches",
  ],
  [{ head: "verl_flash", pass: "logprob" as const }, "forward only, head verl_flash"],
])("%j ran %s", (workload, text) => {
  expect(stepScope(resultOf(workload))).toBe(text);
  expect(isStackOnly(resultOf(workload))).toBe(!("head" in workload));
});
