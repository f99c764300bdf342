import { describe, expect, it } from "vitest";
import { findStreamOverlap } from "../../../../src/core/timeline/findings/streamOverlap.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { copy, importText, kernel, publicTrace, traceOf } from "../import/chrome/traceSamples.js";

function found(...elements: readonly object[]): string[] {
  const { timeline, report } = importText(traceOf(...elements));
  return findStreamOverlap(indexTimeline(timeline, 0, report)).map(({ severity, code }) => `${severity} ${code}`);
}

const EARLY = ["information EARLY_STARTS"];
const WRONG = ["error OVERLAP_IN_STREAM"];

describe("findStreamOverlap", () => {
  it("takes kernels that were launched to start early for what they are, with number, sum and largest", () => {
    const { timeline } = publicTrace("early-starts");
    const [only, ...others] = findStreamOverlap(indexTimeline(timeline));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ code: "EARLY_STARTS", severity: "information", eventCount: 10, arrow: null });
    expect(only?.message.replaceAll("\u00a0", " ")).toBe(
      "10 pieces of work start a little before the one before in the stream has ended: 37.0 µs in all (2 % of the work), 3.70 µs at most.",
    );
    expect(only?.explanation).not.toMatch(/wrong/);
  });

  it.each([
    ["fractions of a microsecond", [kernel(0.25, 10.413), kernel(10.55, 8)], EARLY],
    ["a whole small kernel", [kernel(0.25, 10.413), kernel(9.1, 1.2)], EARLY],
    ["a collective that starts early", [kernel(0.25, 10.413), kernel(10.4, 90, "ncclDevKernel_AllGather")], EARLY],
    // Most of the kernels of a decoding step are as short as their early starts.
    ["many short kernels", Array.from({ length: 20 }, (_, at) => kernel(at * 2.1, 3.3)), EARLY],
    ["13 µs of a coarse recorder in a long trace", [kernel(0, 19), kernel(6, 500), kernel(600, 900)], EARLY],
    ["the same where it is most of the work", [kernel(0, 19), kernel(6, 15)], WRONG],
    ["half a millisecond", [kernel(0, 900), kernel(400, 600)], WRONG],
    ["a copy over a kernel in whole microseconds", [kernel(0, 35), copy("DtoH", 33, 7)], EARLY],
    ["the same where the clock is finer", [kernel(0.125, 35), copy("DtoH", 33.1, 7), kernel(50.013, 1)], WRONG],
    ["copies that share a stream", [copy("DtoH", 0, 1200), copy("HtoD", 700, 1200)], WRONG],
    ["the steps of a GPU's clock", [copy("DtoH", 0.003, 12), copy("HtoD", 11.94, 12), kernel(50.013, 1)], EARLY],
  ])("judges %s", (_, elements, expected) => {
    expect(found(...elements)).toEqual(expected);
  });

  it("keeps the two apart, and says by how much", () => {
    const { timeline } = importText(
      traceOf(kernel(0.1, 100), kernel(99.9, 100), kernel(300, 100), copy("DtoH", 350.5, 100)),
    );
    const [error, information, ...others] = findStreamOverlap(indexTimeline(timeline));
    expect(others).toEqual([]);
    expect(error?.message.replaceAll("\u00a0", " ")).toBe(
      "1 piece of work begins before an earlier one of the same stream has ended, by up to 49.5 µs.",
    );
    expect(error?.arrow).toEqual({ from: 2, to: 3 });
    expect(information).toMatchObject({ code: "EARLY_STARTS", eventCount: 1 });
  });
});
