import { describe, expect, it } from "vitest";
import {
  activationClass,
  textActivation,
  visionActivation,
} from "../../../../src/core/modules/families/activations.js";

describe("activations", () => {
  it("tells the classes that share a shape apart", () => {
    expect(["silu", "swish", "gelu_new", "nothing"].map(activationClass)).toEqual([
      "SiLUActivation",
      "SiLU",
      "NewGELUActivation",
      undefined,
    ]);
  });

  it("reads the key that the model's code reads", () => {
    const at = (key: string) => ({ hidden_act: "gelu", hidden_activation: "silu" })[key];
    expect(textActivation(["gemma2"], at)).toBe("silu");
    expect(textActivation(["gemma"], at)).toBe("gelu");
    expect(textActivation([undefined, "opt"], at)).toBe("relu");
    expect(textActivation(["unknown"], () => undefined)).toBe("silu");
    expect(visionActivation([undefined, "qwen2_vl"])).toBe("quick_gelu");
  });
});
