import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import { alignment, indexTraces, namedTraces } from "../../../../src/core/timeline/query/indexTraces.js";
import { timelineOf } from "../columnSamples.js";

function recording(more: Partial<Timeline>): Timeline {
  return {
    ...timelineOf([
      { lane: 0, startNs: 0, durationNs: 10 },
      { lane: 0, startNs: 5_000, durationNs: 10 },
    ]),
    ...more,
  };
}
const step = (label: string, startNs: number) => ({ kind: "step" as const, label, startNs, endNs: startNs + 10 });

describe("alignment", () => {
  it("puts the first common step at the same time", () => {
    const first = recording({ spans: [step("step 3", 100), step("step 4", 200)], originUnixNs: 0n });
    const other = recording({ spans: [step("step 4", 950)], originUnixNs: 7n });
    expect(alignment(first, other)).toBe(-750);
  });

  it("goes by the clocks of recordings that overlap", () => {
    const base = 1_796_028_144_868_307_864n;
    const at = (ns: bigint) => recording({ originUnixNs: base + ns });
    expect(alignment(at(0n), at(700n))).toBe(700);
    expect(alignment(at(700n), at(0n))).toBe(-700);
    expect(alignment(at(0n), at(1_000_000n))).toBe(0);
    expect(alignment(at(0n), recording({}))).toBe(0);
  });
});

describe("indexTraces", () => {
  it("keeps what each file is called", () => {
    const profile = indexTraces([
      { fileName: "a.json", timeline: recording({ rank: 3 }), report: null },
      { fileName: "b.offload: none", timeline: recording({}), report: null },
    ]);
    expect(profile.traces.map(({ fileName, rank, report }) => [fileName, rank, report.kept])).toEqual([
      ["a.json", 3, 2],
      ["b.offload: none", null, 2],
    ]);
    expect(namedTraces(profile).map(({ fileName }) => fileName)).toEqual(["a.json", "b.offload: none"]);
  });
});
