import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildEventRows,
  firstAtLeast,
  firstLong,
  MAX_ROWS_PER_LANE,
} from "../../../../src/core/timeline/columns/eventRows.js";
import { FOUR_LANES, type SampleEvent, timelineOf } from "../columnSamples.js";

const anyEvents = fc.array(
  fc.record({ lane: fc.nat(3), startNs: fc.nat(200), durationNs: fc.nat(30) }) as fc.Arbitrary<SampleEvent>,
  { maxLength: 80 },
);

describe("buildEventRows", () => {
  it("keeps every event in exactly one row, without overlap above the last", () => {
    fc.assert(
      fc.property(anyEvents, (samples) => {
        const { events } = timelineOf(samples);
        const rows = buildEventRows(FOUR_LANES, events);
        const seen = rows.flatMap((row) => [...row.event]).sort((a, b) => a - b);
        expect(seen).toEqual(samples.map((_, at) => at));
        for (const row of rows.filter((candidate) => candidate.depth < MAX_ROWS_PER_LANE - 1))
          for (let at = 1; at < row.event.length; at++)
            expect(row.startNs[at]).toBeGreaterThanOrEqual(row.latestEndNs[at - 1] ?? 0);
      }),
    );
  });

  it("puts a nested event one row down and orders rows by role, lane and depth", () => {
    const { events } = timelineOf([
      { lane: 3, startNs: 0, durationNs: 100 },
      { lane: 3, startNs: 10, durationNs: 5 },
      { lane: 2, startNs: 0, durationNs: 10 },
      { lane: 0, startNs: 0, durationNs: 10 },
    ]);
    const rows = buildEventRows(FOUR_LANES, events);
    expect(rows.map((row) => [row.role, row.depth, row.event.length])).toEqual([
      ["compute", 0, 1],
      ["h2d", 0, 1],
      ["host", 0, 1],
      ["host", 1, 1],
    ]);
  });
});

describe("firstLong", () => {
  it("finds what a scan finds, across several levels of blocks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 1, maxLength: 700 }),
        fc.nat(1000),
        fc.nat(699),
        (durations, minimum, from) => {
          let clock = 0;
          const samples = durations.map((durationNs) => {
            const startNs = clock;
            clock += durationNs + 1;
            return { lane: 0, startNs, durationNs };
          });
          const [row] = buildEventRows(FOUR_LANES, timelineOf(samples).events);
          if (row === undefined) throw new Error("no row");
          const expected = durations.findIndex((duration, at) => at >= from && duration >= minimum);
          const limit = durations.length;
          const found = Math.min(limit, firstLong(row, minimum, Math.min(from, limit), limit));
          expect(found).toBe(expected < 0 ? limit : expected);
        },
      ),
    );
  });
});

describe("firstAtLeast", () => {
  it("bisects an ascending column", () => {
    const column = Float64Array.of(1, 3, 3, 7);
    expect([0, 1, 2, 3, 4, 8].map((value) => firstAtLeast(column, value))).toEqual([0, 0, 1, 1, 3, 4]);
    expect(firstAtLeast(column, 0, 2)).toBe(2);
  });
});
