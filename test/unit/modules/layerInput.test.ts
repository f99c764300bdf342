import { describe, expect, it } from "vitest";
import { readDimensions } from "../../../src/core/modules/dimensions.js";
import { layerInputOf } from "../../../src/core/modules/layerInput.js";
import { configDoubts } from "../../../src/core/modules/source/configDoubts.js";

const streamsOf = (json: unknown) => layerInputOf(json)?.streams;

describe("layerInputOf", () => {
  it("reads the residual streams of the families that have them, as transformers 5.24 called their layers", () => {
    expect(streamsOf({ model_type: "deepseek_v4", hc_mult: 4 })).toBe(4);
    expect(streamsOf({ model_type: "deepseek_v4", hc_mult: 2 })).toBe(2);
    expect(streamsOf({ model_type: "hy_v4", hc_mult: 3 })).toBe(3);
    expect(streamsOf({ model_type: "qwen4_exp_text", hc_count: 8 })).toBe(8);
    expect(streamsOf({ model_type: "gemma3n_text", altup_num_inputs: 2 })).toBe(2);
  });

  it("takes the family's default where nothing is written", () => {
    for (const type of ["deepseek_v4", "hy_v4", "glm5_next_text", "qwen4_exp_text", "gemma3n_text"]) {
      expect(streamsOf({ model_type: type }), type).toBe(4);
      expect(streamsOf({ model_type: type, hc_mult: null, hc_count: null, altup_num_inputs: null }), type).toBe(4);
    }
  });

  it("reads the text model inside a larger one, whose own type may be missing", () => {
    const text = { model_type: "gemma3n_text", altup_num_inputs: 3 };
    expect(streamsOf({ model_type: "gemma3n", text_config: text })).toBe(3);
    expect(streamsOf({ model_type: "gemma3n", text_config: { altup_num_inputs: 3 } })).toBe(3);
    expect(streamsOf({ model_type: "glm5_next", text_config: { model_type: "glm5_next_text", hc_mult: 2 } })).toBe(2);
    expect(streamsOf({ model_type: "hy_v4_vl", text_config: { model_type: "hy_v4_vl_text" } })).toBe(4);
  });

  it("says nothing of ordinary layers", () => {
    expect(layerInputOf({ model_type: "qwen3" })).toBeUndefined();
    expect(layerInputOf({ model_type: "deepseek_v3" })).toBeUndefined();
    expect(layerInputOf({ model_type: "deepseek_v4", hc_mult: 1 })).toBeUndefined();
    expect(layerInputOf({ model_type: "mamba", residual_in_fp32: false })).toBeUndefined();
    expect(layerInputOf({ model_type: "their_model", hc_mult: 1 })).toBeUndefined();
    expect(layerInputOf(null)).toBeUndefined();
    expect(readDimensions({ model_type: "qwen3", hidden_size: 64 })).toEqual({ hiddenSize: 64 });
  });

  it.each([
    [{ model_type: "deepseek_v4", hc_mult: "4" }, "hc_mult"],
    [{ model_type: "deepseek_v4", hc_mult: 0 }, "hc_mult"],
    [{ model_type: "gemma3n_text", altup_num_inputs: 1000 }, "altup_num_inputs"],
    [{ model_type: "their_model", hc_mult: 4 }, "hc_mult 4"],
    [{ model_type: "their_model", text_config: { altup_num_inputs: 4 } }, "altup_num_inputs 4"],
    [{ model_type: "mamba2" }, "fp32"],
    [{ model_type: "zaya", residual_in_fp32: false }, "fp32"],
  ])("says that %j is not known", (json, word) => {
    const found = layerInputOf(json);
    expect(found?.streams).toBeUndefined();
    expect(found?.doubt).toContain(word);
    expect(configDoubts(json)).toContain(found?.doubt);
  });
});
