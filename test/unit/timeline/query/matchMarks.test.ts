import { describe, expect, it } from "vitest";
import { answerQuestion } from "../../../../src/core/timeline/answers.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { isSearch } from "../../../../src/core/timeline/query/matchMarks.js";
import type { Answers, TableFilter } from "../../../../src/core/timeline/query/protocol.js";
import { timelineOf } from "../columnSamples.js";

const timeline = indexTimeline(
  timelineOf([
    { lane: 0, startNs: 0, durationNs: 10, name: "gemm" },
    { lane: 0, startNs: 12, durationNs: 10, name: "gemm" },
    { lane: 0, startNs: 40, durationNs: 10, name: "norm" },
    { lane: 0, startNs: 60, durationNs: 10, name: "GEMM" },
    { lane: 1, startNs: 5, durationNs: 50, name: "copy of gemm" },
  ]),
);

function marks(filter: TableFilter, fromNs: number, toNs: number, pixelNs: number, rows = [0, 1]) {
  const profile = { kind: "trace", result: null, timelines: [timeline], traces: [] } as const;
  const outcome = answerQuestion(profile, { kind: "matches", run: 0, filter, fromNs, toNs, pixelNs, rows });
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return (outcome.value as Answers["matches"]).marks.map(({ row, startNs, endNs }) => [row, [...startNs], [...endNs]]);
}

const gemm: TableFilter = { role: null, text: "gemm" };

describe("marks of a search", () => {
  it("lie where the matches lie, row by row", () => {
    expect(marks(gemm, 0, 100, 1)).toEqual([
      [0, [0, 12, 60], [10, 22, 70]],
      [1, [5], [55]],
    ]);
    expect(marks({ ...gemm, role: "d2h" }, 0, 100, 1)).toEqual([[1, [5], [55]]]);
    expect(marks({ role: null, text: "none" }, 0, 100, 1)).toEqual([]);
  });

  it("join below a pixel, and are cut to the asked time and rows", () => {
    expect(marks(gemm, 0, 100, 3)).toEqual([
      [0, [0, 60], [22, 70]],
      [1, [5], [55]],
    ]);
    expect(marks(gemm, 50, 60, 1)).toEqual([[1, [5], [55]]]);
    expect(marks(gemm, 0, 100, 1, [1])).toEqual([[1, [5], [55]]]);
  });

  it("leave the list of the table as it was", () => {
    const sorted = { key: "sorted otherwise", events: Uint32Array.of(3, 1) };
    timeline.table = sorted;
    marks({ role: null, text: "norm" }, 0, 100, 1);
    expect(timeline.table).toBe(sorted);
  });

  it("are for searches, not for a stretch of time alone", () => {
    expect(isSearch({ role: null, text: "" })).toBe(false);
    expect(isSearch({ role: null, text: "", fromNs: 1, toNs: 2 })).toBe(false);
    expect(isSearch({ role: null, text: "", minBytes: 1 })).toBe(true);
    expect(isSearch({ role: "host", text: "" })).toBe(true);
  });
});
