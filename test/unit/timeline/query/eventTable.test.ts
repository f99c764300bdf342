import { describe, expect, it } from "vitest";
import { locateEvent, searchEvents, tablePage } from "../../../../src/core/timeline/query/eventTable.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import type { TableFilter, TableSort } from "../../../../src/core/timeline/query/protocol.js";
import { timelineOf } from "../columnSamples.js";

const indexed = indexTimeline(
  timelineOf([
    { lane: 0, startNs: 0, durationNs: 30, name: "gemm", layer: 0 },
    { lane: 1, startNs: 5, durationNs: 10, name: "copy b", bytes: 100, layer: 0 },
    { lane: 0, startNs: 40, durationNs: 30, name: "attention", layer: 1 },
    { lane: 2, startNs: 50, durationNs: 5, name: "copy a", bytes: 300 },
    { lane: 0, startNs: 80, durationNs: 0, name: "mark" },
  ]),
);
const all: TableFilter = { role: null, text: "" };

function listed(filter: TableFilter, sort?: TableSort): number[] {
  return tablePage(indexed, filter, sort, 0, 100).events.map(({ event }) => event);
}

describe("the event table", () => {
  it.each<[Partial<TableFilter>, number[]]>([
    [{ role: "compute" }, [0, 2, 4]],
    [{ text: "COPY" }, [1, 3]],
    [{ stream: "offload" }, [1]],
    [{ minDurationNs: 10 }, [0, 1, 2]],
    [{ maxDurationNs: 5 }, [3, 4]],
    [{ minBytes: 101 }, [3]],
    [{ maxBytes: 100, minBytes: 1 }, [1]],
    [{ layer: 0 }, [0, 1]],
    [{ fromNs: 15, toNs: 50 }, [0, 2]],
    [{ fromNs: 80, toNs: 81 }, [4]],
    [{ device: 3 }, []],
  ])("filters by %j", (part, expected) => {
    expect(listed({ ...all, ...part })).toEqual(expected);
  });

  it.each<[TableSort["by"], number[], number[]]>([
    ["start", [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]],
    ["duration", [4, 3, 1, 0, 2], [0, 2, 1, 3, 4]],
    ["name", [2, 3, 1, 0, 4], [4, 0, 1, 3, 2]],
    ["bytes", [0, 2, 4, 1, 3], [3, 1, 0, 2, 4]],
    ["layer", [3, 4, 0, 1, 2], [2, 0, 1, 3, 4]],
    ["stream", [0, 2, 4, 1, 3], [3, 1, 0, 2, 4]],
  ])("sorts by %s, ties in order of start", (by, ascending, descending) => {
    expect(listed(all, { by, descending: false })).toEqual(ascending);
    expect(listed(all, { by, descending: true })).toEqual(descending);
    expect(locateEvent(indexed, all, { by, descending: true }, 3)).toBe(descending.indexOf(3));
  });

  it("searches forwards and backwards, around the end", () => {
    const filter = { ...all, text: "copy" };
    const find = (from: number | null, step: 1 | -1) => searchEvents(indexed, filter, from, step).event?.event;
    expect([find(null, 1), find(1, 1), find(3, 1), find(2, 1)]).toEqual([1, 3, 1, 3]);
    expect([find(null, -1), find(3, -1), find(1, -1), find(2, -1)]).toEqual([3, 1, 3, 1]);
    expect(searchEvents(indexed, { ...all, text: "none" }, null, 1)).toEqual({ event: null, position: 0, total: 0 });
  });
});
