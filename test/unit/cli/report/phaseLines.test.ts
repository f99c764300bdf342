import { describe, expect, it } from "vitest";
import { phaseLines } from "../../../../src/cli/report/phaseLines.js";
import type { ProfileResult, ProfileRun, StepPhase } from "../../../../src/core/profile/result.js";
import { sampleResult, sampleRun } from "../../profile/sampleResult.js";

const GIB = 2 ** 30;

function phase(name: StepPhase["phase"], microBatch: number, peakGib: number): StepPhase {
  return { phase: name, microBatch, ms: 12, peakBytes: peakGib * GIB, endBytes: GIB };
}

/** 2,048 tokens and 2^20 words: 2^31 logits. */
function resultOf(run: ProfileRun): ProfileResult {
  const result = sampleResult([run]);
  return {
    ...result,
    model: { ...result.model, vocabSize: 2 ** 20 },
    workload: { ...result.workload, seqLens: [1024], head: "verl_torch" },
  };
}

describe("phaseLines", () => {
  const phases = [phase("stackForward", 0, 2), phase("headBackward", 0, 8)];
  const whole = {
    ...sampleRun(),
    peakBytes: 8 * GIB,
    firstStepPeakBytes: 7 * GIB,
    phases,
    peak: {
      phase: "headBackward" as const,
      microBatch: 0,
      parts: [
        { what: "parameters" as const, bytes: 2 * GIB, count: 3 },
        { what: "headGradient" as const, bytes: 6 * GIB, count: 1 },
      ],
    },
  };

  it("names the peak, lists the phases and says what the peak is made of, largest first", () => {
    const lines = phaseLines(whole, resultOf(whole)).map((line) => line.replaceAll("\u00a0", " "));
    expect(lines[0]).toBe(
      "Whole step of none, checkpointing on: peak 8.00 GiB in head backward: 3.0 bytes × 2,048 tokens × 1,048,576 vocabulary, head verl_torch; the first step, which makes the optimizer states, peaks at 7.00 GiB",
    );
    expect(lines.slice(3).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["stack forward", "12.0 ms", "2.00 GiB", "1.00 GiB"],
      ["head backward", "12.0 ms", "8.00 GiB", "1.00 GiB"],
      ["Peak: head gradients 6.00 GiB (75 %, 1 tensor), parameters 2.00 GiB (25 %, 3 tensors)"],
    ]);
  });

  it("counts micro-batches from one where there are several", () => {
    const several = {
      ...whole,
      phases: [...phases, phase("headForward", 1, 4)],
      firstStepPeakBytes: whole.peakBytes,
    };
    const lines = phaseLines(several, resultOf(several));
    expect(lines[0]).toMatch(/in head backward, micro-batch 1: 3\.0 bytes × .*, head verl_torch$/);
    expect(lines[5]).toContain("head forward, micro-batch 2");
  });

  it("is silent about a run of the stack alone", () => {
    expect(phaseLines(sampleRun(), sampleResult([]))).toEqual([]);
  });
});
