import { describe, expect, it } from "vitest";
import { FlowKind } from "../../../../src/core/timeline/columns/columns.js";
import { detailsOf } from "../../../../src/core/timeline/query/eventDetails.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { importText, kernel, traceOf } from "../import/chrome/traceSamples.js";

const call = (ts: number, correlation: number) => ({
  ph: "X",
  cat: "cuda_runtime",
  name: "launch",
  pid: 9,
  tid: 9,
  ts,
  dur: 1,
  args: { correlation },
});
const copy = (device: number, ts: number, correlation: number) => ({
  ph: "X",
  cat: "gpu_memcpy",
  name: "Memcpy DtoH",
  pid: device,
  tid: 21,
  ts,
  dur: 10,
  args: { device, correlation, bytes: 5e6 },
});

describe("detailsOf", () => {
  it("hides a copy under compute of its own device only", () => {
    const { timeline } = importText(
      traceOf(kernel(0, 100, "k", { pid: 0, args: { device: 0 } }), copy(1, 5, 0), copy(0, 20, 0)),
    );
    const indexed = indexTimeline(timeline);
    expect([1, 2].map((event) => detailsOf(indexed, event)).map(({ device, hiddenNs }) => [device, hiddenNs])).toEqual([
      [1, 0],
      [0, 10_000],
    ]);
    expect(indexed.overview.perDevice.map(({ d2h }) => d2h.exposedNs)).toEqual([0, 10_000]);
  });

  it("links a launch and its work both ways", () => {
    const { timeline } = importText(traceOf(call(0, 4), call(2, 5), copy(0, 10, 4), copy(0, 30, 5)));
    const indexed = indexTimeline(timeline);
    expect(detailsOf(indexed, 0).flows).toMatchObject([
      { event: 2, direction: "to", kind: FlowKind.launch, startNs: 10_000 },
    ]);
    expect(detailsOf(indexed, 3).flows).toMatchObject([{ event: 1, direction: "from", name: "launch" }]);
    expect(detailsOf(indexed, 3)).toMatchObject({
      correlation: 5,
      process: null,
      stream: "stream 21",
      bytes: 5e6,
    });
  });
});
