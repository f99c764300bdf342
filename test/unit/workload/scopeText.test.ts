import { expect, it } from "vitest";
import type { WholeStep } from "../../../src/core/profile/wholeStep.js";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { scopeText } from "../../../src/core/workload/scopeText.js";
import { jobIn } from "../config/jobs.js";

const step = (name: string) => jobStep({}, { workload: jobIn(name) });
const whole = (head: string) => ({ members: { head, optimizer: "adamw_foreach" as const } });

it("says why the figures are the stack's alone", () => {
  expect(scopeText(step("dynamic.yaml"), { members: {}, stackOnly: "real devices run the stack of one rank" })).toBe(
    "Stack only: real devices run the stack of one rank.",
  );
});

it("names the head, what is assumed about it, and how many micro-batches are run of how many", () => {
  expect(scopeText(step("dynamic.yaml"), { ...whole("verl_flash"), accumulation: 32 })).toBe(
    "Whole step: head verl_flash (flash-attn is installed, as verl pins it: assumed), optimizer, 2 of about 32 micro-batches.",
  );
});

it("says that full logits are made beside the fused head", () => {
  expect(scopeText(step("fused-trap.yaml"), whole("verl_chunked_eager"))).toBe(
    "Whole step: head verl_chunked_eager, optimizer. The model makes all logits as well and reads none of them.",
  );
});

it("speaks of what runs, not of what the file would run", () => {
  const text = (members: WholeStep) => scopeText(step("dynamic.yaml"), { members });
  expect(text({ head: "hf_eager", optimizer: "adamw_fused" })).toBe("Whole step: head hf_eager, optimizer.");
  expect(text({ head: "hf_eager" })).toBe("Whole step: head hf_eager, no optimizer.");
  expect(text({ head: "none", optimizer: "adamw_loop" })).toBe("Whole step: no head, optimizer.");
  expect(text({ head: "hf_eager", pass: "logprob" })).toBe("Forward only, head hf_eager.");
});
