import { describe, expect, it } from "vitest";
import { ConfigValues } from "../../../src/core/modules/configValues.js";

const values = new ConfigValues({
  top: 1,
  depth: 3,
  text_config: { depth: 5, flag: true, list: [1], name: "x", nothing: null, section: { inner: 2 } },
  vision_config: { depth: 7, indexes: [1, 2], use_head: false },
});

describe("ConfigValues", () => {
  it("looks into the text configuration first", () => {
    expect([values.count("depth", 0), values.count("top", 0), values.count("absent", 9)]).toEqual([5, 1, 9]);
    expect([values.flag("flag", false), values.flag("name", false), values.text("name")]).toEqual([true, false, "x"]);
    expect([values.has("nothing"), values.has("list"), values.list("list"), values.list("name")]).toEqual([
      false,
      true,
      [1],
      undefined,
    ]);
    expect(values.section("section").count("inner", 0)).toBe(2);
    expect(values.visionFlag("use_head", true)).toBe(false);
  });

  it("counts at a path, by number or by length of a list", () => {
    expect(values.countAt("vision_config.depth")).toBe(7);
    expect(values.countAt("vision_config.indexes")).toBe(2);
    expect(values.countAt("vision_config.none")).toBeUndefined();
    expect(new ConfigValues({ thinker_config: { a: { b: 4 } } }).countAt("a.b")).toBe(4);
  });

  it("bounds counts and sizes", () => {
    const wild = new ConfigValues({ many: 1e9, half: 1.5, size: 2 ** 30 });
    expect([wild.count("many", 1), wild.count("half", 1), wild.size("size")]).toEqual([1, 1, undefined]);
  });
});
