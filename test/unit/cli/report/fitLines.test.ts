import { expect, test } from "vitest";
import { fitLines } from "../../../../src/cli/report/fitLines.js";

const GIB = 1024 ** 3;

test("a table of both ends, and what they mean", () => {
  const limit = (surely: number | null, barely: number | null) => ({ surely, barely });
  const lines = fitLines({
    budgetBytes: 80 * GIB,
    unit: "tokens",
    sequenceTokens: 4096,
    answers: [
      { strategy: "none", microBatch: limit(12_288, 17_408), sequence: limit(null, 512), ranks: limit(null, 16) },
      { strategy: "veomni_async", microBatch: limit(13_312, 18_688), sequence: limit(512, 512), ranks: limit(8, 8) },
    ],
  });
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["Fits 80.0 GiB (simulated)", "without offload", "with veomni_async"],
    ["tokens of a micro-batch on a GPU, at most", "12,288 – 17,408", "13,312 – 18,688"],
    ["of the job's longest sequences, whole", "3 – 4", "3 – 4"],
    ["tokens of one sequence alone, at most", "none – 512", "512"],
    ["ranks for the job as it is, at least", "none – 16", "8"],
    [expect.stringMatching(/^The first figure leaves 33 % for fragmentation, .*36 measured steps/)],
  ]);
});

test("sequences where rows are not packed", () => {
  const none = { surely: null, barely: null };
  const answers = [{ strategy: "none", microBatch: none, sequence: none, ranks: none }] as const;
  const [, batch] = fitLines({ budgetBytes: GIB, unit: "sequences", answers });
  expect(batch).toMatch(/^sequences of a micro-batch, at most +none$/);
});
