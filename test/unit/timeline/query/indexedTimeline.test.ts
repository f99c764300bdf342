import { describe, expect, it } from "vitest";
import { indexProfile, indexTimeline, overviewOf } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { sampleProfile } from "../../profile/sampleProfile.js";
import { timelineOf } from "../columnSamples.js";

describe("indexTimeline", () => {
  it("reaches from the first to the last event or span", () => {
    const base = timelineOf([
      { lane: 0, startNs: 10, durationNs: 500 },
      { lane: 0, startNs: 20, durationNs: 5 },
    ]);
    expect(indexTimeline(base).overview.extent).toEqual({ fromNs: 10, toNs: 510 });
    const spans = [{ kind: "step" as const, label: "step", startNs: 0, endNs: 700 }];
    expect(indexTimeline({ ...base, spans }).overview.extent).toEqual({ fromNs: 0, toNs: 700 });
  });

  it("has a width even when it is empty", () => {
    expect(indexTimeline(timelineOf([])).overview.extent).toEqual({ fromNs: 0, toNs: 1 });
  });

  it("knows the row of every event", () => {
    const indexed = indexTimeline(sampleProfile(3).timelines[1] ?? timelineOf([]));
    for (const [at, row] of indexed.rows.entries())
      for (const event of row.event) expect(indexed.rowOf[event]).toBe(at);
  });
});

describe("overviewOf", () => {
  it("says which runs have no timeline", () => {
    const { result, timelines } = sampleProfile(2);
    const indexed = indexProfile({ result, timelines: [timelines[0] ?? null, null, null, null] });
    const overview = overviewOf(indexed, "run.offload");
    expect(overview.timelines.map((timeline) => timeline?.eventCount ?? null)).toEqual([
      timelines[0]?.events.startNs.length,
      null,
      null,
      null,
    ]);
    expect(overview.fileName).toBe("run.offload");
  });
});
