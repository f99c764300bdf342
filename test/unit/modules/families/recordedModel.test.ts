import { describe, expect, it } from "vitest";
import {
  bodyOf,
  childOf,
  recordedModelOf,
  typeOf,
  valueBelow,
} from "../../../../src/core/modules/families/recordedModel.js";

describe("recordedModelOf", () => {
  it("picks by architecture, else the first class of the family", () => {
    expect(recordedModelOf({ model_type: "jamba" })?.rootType).toBe("JambaForCausalLM");
    expect(recordedModelOf({ model_type: "renamed", architectures: ["JambaForCausalLM"] })?.shape).toBe("recorded");
    expect(recordedModelOf({ model_type: "jamba", architectures: ["JambaModel"] })?.shape).toBe("body");
    expect(recordedModelOf({ model_type: "jamba", architectures: ["JambaForTokenClassification"] })?.shape).toBe(
      "other head",
    );
    expect(recordedModelOf({ model_type: "jamba", architectures: ["TheirOwnJamba"] })).toBeUndefined();
    expect(recordedModelOf({ model_type: 3, architectures: "x" })).toBeUndefined();
  });

  it("finds bodies, children and classes", () => {
    const family = recordedModelOf({ model_type: "jamba" })?.family;
    if (family === undefined) throw new Error("not recorded");
    const body = bodyOf(family);
    expect(typeOf(body, family)).toBe("JambaModel");
    expect(typeOf(childOf(body ?? -1, "layers"), family)).toBe("ModuleList");
    expect(childOf(family.root, "nothing")).toBeUndefined();
  });

  it("reads below missing steps as undefined", () => {
    expect(valueBelow({ a: { b: 1 } }, "a.b")).toBe(1);
    expect(valueBelow({ a: [] }, "a.b.c")).toBeUndefined();
    expect(valueBelow(7, "")).toBe(7);
  });
});
