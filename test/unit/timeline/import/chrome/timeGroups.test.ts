import { describe, expect, it } from "vitest";
import { mainGroup } from "../../../../../src/core/timeline/import/chrome/timeGroups.js";
import { codesOf, importText, kernel, traceOf } from "./traceSamples.js";

const DAY = 86_400e9;

/** The main group of events at these times (ns), all of them work of no length. */
function group(startNs: readonly number[], zeroNs = -1): [number, number] {
  const events = { startNs: Float64Array.from(startNs), durationNs: () => 0, isWork: () => true };
  const { from, to } = mainGroup(events, zeroNs);
  return [from, to];
}

describe("mainGroup", () => {
  it.each([
    ["one recording", [0, 10, 20], -1, [0, 3]],
    ["a stray far in the future", [0, 10, 20, 9 * DAY], -1, [0, 3]],
    ["a stray in the past", [0, DAY, DAY + 5, DAY + 9], -1, [1, 4]],
    ["two recordings days apart: the larger one", [0, 10, 2 * DAY, 2 * DAY + 1, 2 * DAY + 2], -1, [2, 5]],
    ["the time 0, even if it is the most frequent", [0, 0, 0, 0, DAY, DAY + 5], 0, [4, 6]],
    ["the time 0 a few seconds before", [0, 0, 5e9, 5e9 + 5], 0, [2, 4]],
    ["three pieces of work at the time 0, a millisecond before", [0, 0, 0, 1e6, 2e6], 0, [3, 5]],
    ["two of them, which a coarse clock may write", [0, 0, 1e6, 2e6], 0, [0, 4]],
    ["a first event at the time 0", [0, 10, 20], 0, [0, 3]],
    ["only the time 0", [0, 0], 0, [0, 2]],
    ["a list of hours", Array.from({ length: 40 }, (_, at) => at * 7_200e9), -1, [0, 40]],
    ["a pause that is short for the length of the recording", [0, 500e9, 1_000e9, 3_000e9], -1, [0, 4]],
    ["a few events a quarter of an hour apart", [0, 900e9, 1_800e9, 2_700e9], -1, [0, 4]],
    ["events in thousandths of the unit", [1e9, 1e9 + 5, 1e9 + 9, 1e12, 1e12 + 5e3], -1, [0, 3]],
  ] as const)("finds %s", (_, startNs, zeroNs, expected) => {
    expect(group(startNs, zeroNs)).toEqual(expected);
  });
});

describe("an import of events that lie far apart", () => {
  // µs since 1970
  const NOW = 1.78e15;
  const sound = Array.from({ length: 6 }, (_, at) => kernel(NOW + at * 100, 90));

  it.each([
    ["first", [kernel(0, 0), ...sound]],
    ["last", [...sound, kernel(0, 0)]],
    ["in between", [...sound.slice(0, 3), kernel(0, 0), ...sound.slice(3)]],
  ])("drops a time of 0 among times since 1970, %s", (_, elements) => {
    const { timeline, report } = importText(traceOf(...elements));
    expect(codesOf(report)).toEqual({ TIME_MISSING: 1 });
    expect(report).toMatchObject({ total: 7, kept: 6, dropped: 1 });
    expect(Array.from(timeline.events.startNs)).toEqual([0, 1, 2, 3, 4, 5].map((at) => at * 100_000));
    expect(timeline.originUnixNs).toBe(BigInt(NOW) * 1000n);
  });

  it.each([
    ["another unit", NOW * 3],
    ["seconds", NOW / 1e6],
    ["another day", NOW + 9e10],
    ["a negative time", -NOW],
  ])("drops an event with %s", (_, ts) => {
    for (const elements of [
      [kernel(ts, 50), ...sound],
      [...sound, kernel(ts, 50)],
    ]) {
      const { timeline, report } = importText(traceOf(...elements));
      expect(codesOf(report)).toEqual({ TIME_FAR: 1 });
      expect(timeline.events.startNs).toHaveLength(6);
      expect(timeline.originUnixNs).toBe(BigInt(NOW) * 1000n);
    }
  });

  it("keeps memory and arrows of the recording that stays", () => {
    const memory = (ts: number) => ({
      ph: "i",
      cat: "cpu_instant_event",
      name: "[memory]",
      pid: 9,
      tid: 9,
      ts,
      args: { "Total Allocated": 10, "Device Type": 1, "Device Id": 0 },
    });
    const { timeline, report } = importText(traceOf(memory(0), ...sound, memory(NOW + 50), memory(NOW - 9e10)));
    expect(codesOf(report)).toEqual({ TIME_MISSING: 1 });
    expect(timeline.memory.map(({ timeNs }) => Array.from(timeNs))).toEqual([[50_000]]);
  });
});
