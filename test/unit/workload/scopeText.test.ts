import { expect, it } from "vitest";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { scopeText } from "../../../src/core/workload/scopeText.js";
import { jobIn } from "../config/jobs.js";

const step = (name: string) => jobStep({}, { workload: jobIn(name) });

it("says why the figures are the stack's alone", () => {
  expect(scopeText(step("dynamic.yaml"), "real devices run the stack of one rank", undefined)).toBe(
    "Stack only: real devices run the stack of one rank.",
  );
});

it("names the head, what is assumed about it, and how many micro-batches are run of how many", () => {
  expect(scopeText(step("dynamic.yaml"), undefined, 32)).toBe(
    "Whole step: head verl_flash (flash-attn is installed, as verl pins it: assumed), optimizer, 2 of about 32 micro-batches.",
  );
});

it("says that full logits are made beside the fused head", () => {
  expect(scopeText(step("fused-trap.yaml"), undefined, undefined)).toBe(
    "Whole step: head verl_chunked, optimizer. The model makes the full logits as well, which are not in the figures.",
  );
});
