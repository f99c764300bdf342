import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { peakNote, phaseTitle } from "../../../src/core/profile/peakNote.js";
import type { PeakPart } from "../../../src/core/profile/result.js";
import { readContainer } from "../../../src/core/timeline/container/readContainer.js";
import { sampleResult, sampleRun } from "./sampleResult.js";

function noteOf(parts: readonly PeakPart[], workload = {}): string | undefined {
  const peakBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const run = sampleRun({ peakBytes, peak: { phase: "headForward", microBatch: 0, parts } });
  const result = sampleResult([run]);
  return peakNote(run, { ...result, workload: { ...result.workload, head: "hf_eager", ...workload } });
}

const logits = (bytes: number): PeakPart => ({ what: "logits", bytes, count: 1 });

describe("peakNote", () => {
  it("counts the head's bytes for each logit of the micro-batch", () => {
    // 2 rows of 256 tokens, 128 words: 65,536 logits.
    expect(noteOf([logits(4 * 65_536), { what: "headTemporaries", bytes: 2 * 65_536, count: 3 }])).toBe(
      "head forward: 6.0 bytes × 512 tokens × 128 vocabulary, head hf_eager",
    );
    expect(noteOf([logits(4 * 65_536)], { sequenceParallel: 2, entropy: "chunked" })).toBe(
      "head forward: 8.0 bytes × 256 tokens × 128 vocabulary, head hf_eager with entropy chunked",
    );
  });

  it("gives bytes alone for a head in chunks, and the phase alone where the head holds nothing", () => {
    expect(noteOf([logits(65_536)])).toBe("head forward: 64.0\u00a0KiB of head hf_eager");
    expect(noteOf([{ what: "gradients", bytes: 9, count: 1 }])).toBe("head forward");
  });

  it("says nothing of the head where the peak is not its own", () => {
    const parts: PeakPart[] = [{ what: "headGradient", bytes: 4 * 65_536, count: 1 }];
    const run = sampleRun({ peak: { phase: "stackBackward", microBatch: 0, parts } });
    expect(peakNote(run, sampleResult([run]))).toBe("stack backward");
  });

  it("is undefined for a run of the stack alone", () => {
    expect(peakNote(sampleRun(), sampleResult([]))).toBeUndefined();
  });

  it("names what the engine wrote: the bytes that a real step has for each logit of this head and entropy", () => {
    const saved = readContainer(readFileSync("test/fixtures/profiles/whole-step-qwen3-0.6b.offload"));
    if (!saved.ok) throw new Error(saved.problem.cause);
    const { result } = saved.value;
    expect(result.runs.map((run) => peakNote(run, result))).toEqual(
      Array(2).fill(
        "head backward: 26.0 bytes × 8,192 tokens × 151,936 vocabulary, head verl_torch with entropy eager",
      ),
    );
  });
});

describe("phaseTitle", () => {
  it("names the micro-batch only of several", () => {
    const phase = { phase: "stackForward" as const, microBatch: 1 };
    const phases = [{ ...phase, ms: 1, peakBytes: 1, endBytes: 1 }];
    expect(phaseTitle(sampleRun({ phases }), phase)).toBe("stack forward, micro-batch 2");
    expect(phaseTitle(sampleRun({ phases }), { phase: "optimizer", microBatch: 1 })).toBe("optimizer");
    expect(phaseTitle(sampleRun(), { ...phase, microBatch: 0 })).toBe("stack forward");
  });
});
