import { describe, expect, it } from "vitest";
import { annotatedRegions, layerAt } from "../../../../src/core/timeline/layers/annotatedRegions.js";
import { importText, traceOf } from "../import/chrome/traceSamples.js";

const range = (name: string, ts: number, dur: number, tid = 9) => ({
  ph: "X",
  cat: "user_annotation",
  name,
  pid: 9,
  tid,
  ts,
  dur,
});

describe("annotatedRegions", () => {
  it("spans what lies between FSDP's marks of a layer, to the last of them", () => {
    const { timeline } = importText(
      traceOf(
        range("FSDP::pre_forward (layers.0)", 0, 1),
        range("FSDP::all_gather (layers.1)", 2, 1),
        range("FSDP::post_forward (layers.0)", 8, 2),
        range("FSDP::pre_backward (layers.0)", 20, 1),
        range("FSDP::post_backward_reshard (layers.0)", 28, 1),
        range("FSDP::post_backward_reduce (layers.0)", 30, 4),
      ),
    );
    const { regions, names } = annotatedRegions(timeline);
    expect(regions.map(({ startNs, endNs, layer }) => [startNs, endNs, layer])).toEqual([
      [0, 10_000, 0],
      [20_000, 34_000, 0],
    ]);
    expect(names).toEqual(["layers.0"]);
  });

  it("finds the layer at a time, the one that began last where two overlap", () => {
    const { timeline } = importText(
      traceOf(range("model.layers.4", 0, 10), range("model.layers.5", 8, 10), range("h.7", 2, 3, 8)),
    );
    const { regions } = annotatedRegions(timeline);
    const [main, other] = [0, 1];
    expect([1, 9, 15, 30].map((us) => layerAt(regions, main, us * 1000))).toEqual([4, 5, 5, -1]);
    expect(layerAt(regions, other, 3_000)).toBe(7);
    expect(layerAt([], 0, 5)).toBe(-1);
  });

  it("takes no other names for layers", () => {
    const names = ["layers", "players.3", "layernorm.1x", "aten::layer_norm", "layers.99999", "nn.Module: Linear_3"];
    const { timeline } = importText(traceOf(...names.map((name, at) => range(name, at, 1))));
    expect(annotatedRegions(timeline).regions).toEqual([]);
  });
});
