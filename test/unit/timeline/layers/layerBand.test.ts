import { describe, expect, it } from "vitest";
import { buildLayerBand } from "../../../../src/core/timeline/layers/layerBand.js";
import { FOUR_LANES, timelineOf } from "../columnSamples.js";

describe("buildLayerBand", () => {
  it("joins a layer's kernels, ignores other lanes and splits at the start of backward", () => {
    const { events } = timelineOf([
      { lane: 0, startNs: 0, durationNs: 5, layer: -1 },
      { lane: 0, startNs: 10, durationNs: 5, layer: 0 },
      { lane: 0, startNs: 16, durationNs: 5, layer: 0 },
      { lane: 1, startNs: 17, durationNs: 9, layer: 7 },
      { lane: 0, startNs: 22, durationNs: 5, layer: 1 },
      { lane: 0, startNs: 28, durationNs: 1, layer: -1 },
      { lane: 0, startNs: 30, durationNs: 5, layer: 1 },
      { lane: 0, startNs: 36, durationNs: 5, layer: 0 },
    ]);
    const spans = [
      { kind: "forward" as const, label: "forward", startNs: 0, endNs: 29 },
      { kind: "backward" as const, label: "backward", startNs: 29, endNs: 41 },
    ];
    const band = buildLayerBand(FOUR_LANES, events, spans);
    expect(Array.from(band.layer)).toEqual([0, 1, 1, 0]);
    expect(Array.from(band.startNs)).toEqual([10, 22, 30, 36]);
    expect(Array.from(band.endNs)).toEqual([21, 27, 35, 41]);
  });
});
