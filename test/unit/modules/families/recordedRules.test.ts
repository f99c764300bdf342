import { describe, expect, it } from "vitest";
import type { RecordedFamily } from "../../../../src/core/modules/families/recordedFamilies.js";
import { RecordedValues } from "../../../../src/core/modules/families/recordedRules.js";

const family: RecordedFamily = {
  modelType: "x",
  architecture: "XForCausalLM",
  prefix: "X",
  base: "model",
  noSplit: [],
  root: 0,
  defaults: { num_hidden_layers: 7, "text_config.hidden_act": "silu" },
  conversions: [],
  parts: {},
};
const values = (json: unknown) => new RecordedValues(json, family);
const at = (index: number, length = 9) => ({ index: [index], length: [length] });

describe("RecordedValues", () => {
  it("reads the file, older names, a text configuration at the top, else the default", () => {
    expect(values({ num_hidden_layers: 3 }).valueAt("num_hidden_layers")).toBe(3);
    expect(values({ n_layer: 4 }).valueAt("num_hidden_layers")).toBe(4);
    expect(values({ hidden_act: "relu" }).valueAt("text_config.hidden_act")).toBe("relu");
    expect(values({ text_config: {}, hidden_act: "relu" }).valueAt("text_config.hidden_act")).toBe("silu");
    expect(values([]).valueAt("num_hidden_layers")).toBe(7);
    expect(values({ __proto__: { n_layer: 4 } }).says("num_hidden_layers")).toBe(false);
  });

  it("reckons lengths and bounds them", () => {
    const config = values({ a: 7, b: 2, list: ["x", "y", "x"], huge: 1e9, text: "MEM" });
    expect(config.lengthOf(5)).toBe(5);
    expect(config.lengthOf(null)).toBeUndefined();
    expect(config.lengthOf(["k", "a", -1])).toBe(6);
    expect(config.lengthOf(["k", "list", 0])).toBe(3);
    expect(config.lengthOf(["k", "text", 0])).toBe(3);
    expect(config.lengthOf(["//", "a", "b"])).toBe(3);
    expect(config.lengthOf(["u//", "a", "b"])).toBe(4);
    expect(config.lengthOf(["-", "b", "a"])).toBe(0);
    expect(config.lengthOf(["+", "a", "b"])).toBe(9);
    expect(config.lengthOf(["count", "list", "x"])).toBe(2);
    expect(config.lengthOf(["k", "huge", 0])).toBeUndefined();
    expect(config.lengthOf(["//", "a", "none"])).toBeUndefined();
  });

  it("decides by values at the layer's position, and not for values that it never saw", () => {
    const config = values({ types: ["full", "linear"], dense: [1], first: 2, every: 3, offset: 1, flag: null });
    const form = (decider: (string | number)[], index: number, table: Record<string, number>) =>
      config.formOf([[decider], table], at(index));
    expect(form(["at", "types", -1], 1, { '"\\"linear\\""': 4 })).toBe(4);
    expect(form(["at", "types", -1], 2, { '"\\"linear\\""': 4 })).toBeUndefined();
    expect(form(["cyc", "types", -1], 2, { '"\\"full\\""': 5 })).toBe(5);
    expect(form(["in", "dense", -1], 1, { true: 1, false: 0 })).toBe(1);
    expect(form(["<", "first", -1, 0], 2, { true: 1, false: 0 })).toBe(0);
    expect(form(["%", "every", -1, 1], 2, { true: 1, false: 0 })).toBe(1);
    expect(form(["%-", "every", "offset", -1], 4, { true: 1, false: 0 })).toBe(1);
    expect(form(["is", "flag"], 0, { '"null"': 2 })).toBe(2);
    expect(form(["any", "dense"], 0, { true: 3 })).toBe(3);
    expect(form(["last", -1], 8, { true: 6 })).toBe(6);
    const pair = config.formOf(
      [
        [
          ["in", "dense", -1],
          ["any", "flag"],
        ],
        { "[true, false]": 8 },
      ],
      at(1),
    );
    expect(pair).toBe(8);
  });
});
