import { describe, expect, it } from "vitest";
import { configDoubts } from "../../../../src/core/modules/source/configDoubts.js";

describe("configDoubts", () => {
  it("has nothing to say of a plain model, or of no object", () => {
    expect(configDoubts({ model_type: "llama", quantization_config: null })).toEqual([]);
    expect(configDoubts({ auto_map: { AutoConfig: "configuration_x.XConfig" } })).toEqual([]);
    expect(configDoubts([])).toEqual([]);
    expect(configDoubts(null)).toEqual([]);
  });

  it("names code of the model's own", () => {
    const [doubt] = configDoubts({ auto_map: { AutoModelForCausalLM: "modeling_x.XForCausalLM" } });
    expect(doubt).toContain("trust_remote_code");
  });

  it("names the quantisation, however it is written", () => {
    expect(configDoubts({ quantization_config: { quant_method: "mxfp4" } })[0]).toContain("quantisation (mxfp4)");
    expect(configDoubts({ quantization_config: { quant_method: 4 } })[0]).toContain("quantisation:");
    expect(configDoubts({ quantization_config: { quant_method: "x".repeat(5000) } })[0]?.length).toBeLessThan(300);
  });
});
