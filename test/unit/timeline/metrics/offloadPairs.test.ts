import { describe, expect, it } from "vitest";
import { pairOffloads } from "../../../../src/core/timeline/metrics/offloadPairs.js";
import { type SampleEvent, timelineOf } from "../columnSamples.js";

const D2H = 1;
const H2D = 2;
const copy = (lane: number, startNs: number, bytes = 1e6): SampleEvent => ({ lane, startNs, durationNs: 5, bytes });

function pairsOf(...events: SampleEvent[]) {
  return pairOffloads(timelineOf(events)).map(({ bytes, pairs, unpaired, orphans }) => ({
    bytes,
    pairs: pairs.map(({ offload, reload }) => [offload, reload]),
    unpaired,
    orphans,
  }));
}

describe("pairOffloads", () => {
  it("pairs sizes for themselves, the last copy out first", () => {
    const events = [copy(D2H, 0), copy(D2H, 10, 5e6), copy(D2H, 20), copy(H2D, 40), copy(H2D, 50, 5e6), copy(H2D, 60)];
    expect(pairsOf(...events)).toEqual([
      {
        bytes: 1e6,
        pairs: [
          [2, 3],
          [0, 5],
        ],
        unpaired: [],
        orphans: [],
      },
      { bytes: 5e6, pairs: [[1, 4]], unpaired: [], orphans: [] },
    ]);
  });

  it("says what has no partner", () => {
    const outs = [0, 10, 20, 30].map((at) => copy(D2H, at));
    expect(pairsOf(...outs, copy(H2D, 40), copy(H2D, 50), copy(H2D, 60))[0]?.unpaired).toEqual([0]);
    const backs = [70, 80].map((at) => copy(H2D, at));
    expect(pairsOf(...outs, ...[40, 50, 60].map((at) => copy(H2D, at)), ...backs)[0]?.orphans).toEqual([8]);
  });

  it("takes several steps one after the other", () => {
    const one = (from: number) => [
      ...[0, 1, 2].map((at) => copy(D2H, from + at * 10)),
      ...[3, 4, 5].map((at) => copy(H2D, from + at * 10)),
    ];
    expect(pairsOf(...one(0), ...one(100))[0]?.pairs).toEqual([
      [2, 3],
      [1, 4],
      [0, 5],
      [8, 9],
      [7, 10],
      [6, 11],
    ]);
  });

  it("tells a recording that ends early from a reload that is missing", () => {
    const step = (from: number, outs: number, backs: number) => [
      ...Array.from({ length: outs }, (_, at) => copy(D2H, from + at * 10)),
      ...Array.from({ length: backs }, (_, at) => copy(H2D, from + 1000 + at * 10)),
    ];
    const isCutOff = (...events: SampleEvent[]) => pairOffloads(timelineOf(events))[0]?.isCutOff;
    const whole = [...step(0, 20, 20), ...step(5_000, 20, 20)];
    expect(isCutOff(...whole)).toBe(false);
    expect(isCutOff(...whole, ...step(10_000, 6, 0))).toBe(true);
    expect(isCutOff(...whole, ...step(10_000, 20, 12))).toBe(true);
    expect(isCutOff(...whole, ...step(10_000, 20, 19))).toBe(false);
    expect(isCutOff(...step(0, 20, 19), ...step(5_000, 20, 20))).toBe(false);
  });

  it("leaves out scalars, one-way traffic and copies that alternate", () => {
    expect(pairsOf(copy(D2H, 0, 1), copy(H2D, 10, 1))).toEqual([]);
    expect(pairsOf(copy(H2D, 0), copy(H2D, 10), copy(H2D, 20))).toEqual([]);
    expect(pairsOf(...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => copy(at % 2 === 0 ? D2H : H2D, at * 10)))).toEqual([]);
  });
});
