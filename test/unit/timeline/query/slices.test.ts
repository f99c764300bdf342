import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { buildEventRows, type EventRow } from "../../../../src/core/timeline/columns/eventRows.js";
import { nearestEvent, type RowSlices, sliceRow } from "../../../../src/core/timeline/query/slices.js";
import { FOUR_LANES, type SampleEvent, timelineOf } from "../columnSamples.js";

function rowsOf(samples: readonly SampleEvent[]) {
  const { events } = timelineOf(samples);
  return { events, rows: buildEventRows(FOUR_LANES, events) };
}

function onlyRow(samples: readonly SampleEvent[]): { row: EventRow; events: ReturnType<typeof rowsOf>["events"] } {
  const { events, rows } = rowsOf(samples);
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return { row, events };
}

function boxes(slices: RowSlices) {
  return Array.from(slices.startNs, (startNs, at) => [startNs, slices.endNs[at], slices.count[at]]);
}

describe("sliceRow", () => {
  it("gives each event its own box when it is wide enough", () => {
    const { row, events } = onlyRow([
      { lane: 0, startNs: 0, durationNs: 10, layer: 3, name: "a" },
      { lane: 0, startNs: 20, durationNs: 10 },
    ]);
    const slices = sliceRow(row, events, 0, 100, 1);
    expect(boxes(slices)).toEqual([
      [0, 10, 1],
      [20, 30, 1],
    ]);
    expect([slices.layer[0], slices.name[0], slices.coverage[0]]).toEqual([3, 0, 1]);
  });

  it("merges what shares a pixel and says how much of it is covered", () => {
    const samples = Array.from({ length: 50 }, (_, at) => ({ lane: 0, startNs: at * 2, durationNs: 1 }));
    const { row, events } = onlyRow(samples);
    const slices = sliceRow(row, events, 0, 100, 50);
    expect(Array.from(slices.count)).toEqual([25, 25]);
    expect(slices.coverage[0]).toBeCloseTo(25 / 49, 6);
  });

  it("lets a copy stand for the wait before it", () => {
    const { row, events } = onlyRow([
      { lane: 1, startNs: 0, durationNs: 5, kind: EventKind.streamWait },
      { lane: 1, startNs: 5, durationNs: 5 },
    ]);
    const slices = sliceRow(row, events, 0, 1000, 100);
    expect([slices.count[0], slices.kind[0], slices.event[0]]).toEqual([2, EventKind.copyD2H, 1]);
    expect(boxes(slices)).toEqual([[0, 10, 2]]);
  });

  it("keeps a long event among short ones apart", () => {
    const { row, events } = onlyRow([
      { lane: 0, startNs: 0, durationNs: 1 },
      { lane: 0, startNs: 2, durationNs: 1 },
      { lane: 0, startNs: 4, durationNs: 500 },
      { lane: 0, startNs: 504, durationNs: 1 },
    ]);
    expect(boxes(sliceRow(row, events, 0, 600, 100))).toEqual([
      [0, 3, 2],
      [4, 504, 1],
      [504, 505, 1],
    ]);
  });

  it("shows an event that covers the whole span from outside", () => {
    const { row, events } = onlyRow([{ lane: 0, startNs: 0, durationNs: 1000 }]);
    expect(boxes(sliceRow(row, events, 400, 500, 1))).toEqual([[0, 1000, 1]]);
  });

  it("loses no visible event, whatever the zoom, and stays within two boxes per pixel", () => {
    const anySamples = fc.array(
      fc.record({ lane: fc.constant(0), startNs: fc.nat(2000), durationNs: fc.nat(60) }) as fc.Arbitrary<SampleEvent>,
      { minLength: 1, maxLength: 200 },
    );
    fc.assert(
      fc.property(
        anySamples,
        fc.nat(2000),
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 300 }),
        (samples, fromNs, length, pixelNs) => {
          const toNs = fromNs + length;
          const { events, rows } = rowsOf(samples);
          for (const row of rows) {
            const slices = sliceRow(row, events, fromNs, toNs, pixelNs);
            const shown = slices.count.reduce((sum, count) => sum + count, 0);
            const ends = Array.from(
              row.event,
              (event) => (events.startNs[event] ?? 0) + (events.durationNs[event] ?? 0),
            );
            const visible = ends.filter((end, at) => end >= fromNs && (row.startNs[at] ?? 0) < toNs).length;
            expect(shown).toBeGreaterThanOrEqual(visible);
            expect(slices.count.length).toBeLessThanOrEqual(2 * (length / pixelNs + 2));
          }
        },
      ),
    );
  });

  it("touches few boxes among a million events", () => {
    const count = 1_000_000;
    const events = {
      startNs: Float64Array.from({ length: count }, (_, at) => at * 10),
      durationNs: new Float64Array(count).fill(8),
      lane: new Uint32Array(count),
      name: new Uint32Array(count),
      layer: new Int32Array(count),
      bytes: new Float64Array(count),
      kind: new Uint8Array(count),
      dependsOn: new Int32Array(count).fill(-1),
    };
    const [row] = buildEventRows(FOUR_LANES, events);
    if (row === undefined) throw new Error("no row");
    const slices = sliceRow(row, events, 0, count * 10, (count * 10) / 1000);
    expect(slices.count.length).toBe(1000);
    expect(slices.count.reduce((sum, merged) => sum + merged, 0)).toBe(count);
    expect(slices.coverage[500]).toBeCloseTo(0.8, 2);
  });
});

describe("nearestEvent", () => {
  const { row } = onlyRow([
    { lane: 0, startNs: 10, durationNs: 10 },
    { lane: 0, startNs: 40, durationNs: 10 },
  ]);

  it("takes the event under the time, else the one with the nearer edge", () => {
    const at = (timeNs: number) => nearestEvent(row, timeNs);
    expect([at(0), at(10), at(15), at(29), at(31), at(40), at(1000)]).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });
});
