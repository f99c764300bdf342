import { expect, it } from "vitest";
import { findUnsizedCopies } from "../../../../src/core/timeline/findings/unsizedCopies.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { importText, kernel, traceOf } from "../import/chrome/traceSamples.js";

const copy = (ts: number, bytes?: unknown) => ({
  ph: "X",
  cat: "gpu_memcpy",
  name: "Memcpy DtoH (Device -> Pinned)",
  pid: 0,
  tid: 20,
  ts,
  dur: 1,
  args: { device: 0, stream: 20, ...(bytes === undefined ? {} : { bytes }) },
});

function found(...elements: object[]) {
  const { timeline, report } = importText(traceOf(...elements));
  return findUnsizedCopies(indexTimeline(timeline, 0, report));
}

it("is silent where every copy has a size, a size of zero too, and where there are no copies", () => {
  expect(found(kernel(1, 2), copy(5, 1024), copy(9, 0))).toEqual([]);
  expect(found(kernel(1, 2))).toEqual([]);
});

it("counts the copies without one among all, and names them", () => {
  const [only, ...more] = found(kernel(1, 2), copy(5), copy(9, 64), copy(12, -1));
  expect(more).toEqual([]);
  expect(only).toMatchObject({ code: "COPIES_WITHOUT_SIZE", severity: "information", eventCount: 2, costNs: null });
  expect(only?.message).toMatch(/^2 of 3 copies between host and device have no recorded size/);
  expect(only?.events.map(({ startNs }) => startNs)).toEqual([4_000, 11_000]);
});

it("speaks of one copy as one", () => {
  expect(found(kernel(1, 2), copy(5))[0]?.message).toMatch(/^1 of 1 copy between host and device has no/);
});
