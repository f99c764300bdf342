import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { codesOf, copy, importText, kernel, traceOf } from "./chrome/traceSamples.js";

/** Kernels of 90 µs every 100 µs from `from` µs on. */
function work(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => kernel(from + at * 100, 90));
}

function doubtful(...elements: readonly object[]): { name: string | undefined; startNs: number; durationNs: number }[] {
  const { timeline, report } = importText(traceOf(...elements));
  const { kind, name, startNs, durationNs } = timeline.events;
  const found = [...kind.keys()].filter((at) => kind[at] === EventKind.doubtful);
  expect(codesOf(report).DURATION_IMPOSSIBLE ?? 0).toBe(found.length);
  return found.map((at) => ({
    name: timeline.strings[name[at] ?? 0],
    startNs: startNs[at] ?? 0,
    durationNs: durationNs[at] ?? 0,
  }));
}

describe("cutImpossible", () => {
  it("ends work where the next work of its stream begins", () => {
    expect(doubtful(...work(0, 10), kernel(1000, 5e6, "broken"), ...work(1010, 10))).toEqual([
      { name: "broken", startNs: 1_000_000, durationNs: 10_000 },
    ]);
  });

  it("finds several, also inside of each other", () => {
    const broken = [copy("DtoH", 1000, 4e6), ...work(1010, 9), copy("HtoD", 1910, 2e6)];
    expect(doubtful(...work(0, 10), ...broken, ...work(1930, 20)).map(({ durationNs }) => durationNs)).toEqual([
      10_000, 20_000,
    ]);
  });

  it("needs no more than one piece of work behind it, if it is much too long", () => {
    expect(doubtful(...work(0, 10), kernel(1000, 3e5, "broken"), kernel(1040, 90))).toHaveLength(1);
  });

  it("ends work with the rest of the file where nothing agrees with it", () => {
    const call = { ph: "X", cat: "cuda_runtime", name: "cudaDeviceSynchronize", pid: 9, tid: 9, ts: 1000, dur: 400 };
    const broken = kernel(1000, 7e9, "broken");
    expect(doubtful(...work(0, 10), broken, call)).toEqual([
      { name: "broken", startNs: 1_000_000, durationNs: 400_000 },
    ]);
    expect(doubtful(...work(0, 10), broken, { ...call, dur: 7e9 })).toEqual([]);
  });

  it("puts what has become shorter behind what begins with it", () => {
    const { timeline } = importText(
      traceOf(...work(0, 10), kernel(1000, 5e6, "broken"), kernel(1000, 90, "next"), ...work(1100, 9)),
    );
    const { name, startNs, durationNs } = timeline.events;
    const at = startNs.indexOf(1_000_000);
    expect([0, 1].map((next) => timeline.strings[name[at + next] ?? 0])).toEqual(["next", "broken"]);
    expect(Array.from(durationNs.subarray(at, at + 2))).toEqual([90_000, 0]);
  });

  it.each([
    ["a long kernel with nothing inside", [...work(0, 10), kernel(1000, 5e4), ...work(52_000, 3)]],
    ["one that starts the next a little early", [...work(0, 10), kernel(1000, 5e4), ...work(50_995, 3)]],
    ["another stream beside it", [...work(0, 10), { ...kernel(0, 9e5), tid: 8 }]],
    ["streams under one number", work(0, 20).flatMap((one, at) => [one, kernel(at * 100 + 10, 60)])],
    ["copies that overlap by half", [copy("DtoH", 0, 1200), copy("HtoD", 600, 1200), copy("DtoH", 1900, 1200)]],
  ])("leaves alone %s", (_, elements) => {
    expect(doubtful(...elements)).toEqual([]);
  });
});
