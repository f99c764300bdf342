import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadedTensors, withoutLeftovers } from "../../../../src/core/modules/source/leftovers.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";

describe("withoutLeftovers", () => {
  it("drops buffers of older versions and the parts of a quantised parameter", () => {
    const kept = ["layers.0.q.weight", "layers.0.norm.weight", "layers.1.q.weight.other"];
    const dropped = [
      "layers.0.attn.rotary_emb.inv_freq",
      "layers.0.attn.masked_bias",
      "layers.0.q.weight.absmax",
      "layers.0.q.weight.quant_state.bitsandbytes__nf4",
    ];
    expect(withoutLeftovers(TensorNames.of([...kept, ...dropped]))).toEqual(kept);
  });

  it("sees a parameter in a list, whose name ends with a number", () => {
    expect(withoutLeftovers(TensorNames.of(["scales.0", "scales.0.absmax", "scales.1.absmax"]))).toEqual([
      "scales.0",
      "scales.1.absmax",
    ]);
  });

  it("drops exactly the names that have another in front", () => {
    const name = fc.array(fc.constantFrom("a", "0", "1", "w"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (list) => {
        const texts = [...new Set(list.map((parts) => parts.join(".")))];
        const expected = texts.filter((text) => !texts.some((other) => text.startsWith(`${other}.`)));
        expect(withoutLeftovers(TensorNames.of(texts))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("loadedTensors", () => {
  it("answers by the number of a name", () => {
    const isLoaded = loadedTensors(TensorNames.of(["a.rotary_emb.inv_freq", "a.w"]));
    expect([isLoaded(0), isLoaded(1)]).toEqual([false, true]);
  });
});
