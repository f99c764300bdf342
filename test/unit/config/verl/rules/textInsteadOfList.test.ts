import { describe, expect, it } from "vitest";
import { engine, fixed, summary, summaryOf } from "../../checkedText.js";

function modules(value: string, enabled = "true"): string {
  return engine(`enable_async_activation_offload: ${enabled}`, `activation_offload_modules: ${value}`);
}

describe("text-instead-of-list", () => {
  it.each([
    ["model.layers.{*}", '["model.layers.{*}"]', "warning"],
    ['"[model.layers.*, b]"', '["model.layers.*", "b"]', "warning"],
    ["a.*, b.*", '["a.*", "b.*"]', "warning"],
    ["model.layers", '["model.layers"]', "error"],
    ['""', "[]", "warning"],
  ])("finds %s and writes %s", (value, list, severity) => {
    expect(summary(modules(value))).toEqual([`${severity} text-instead-of-list|${value}`]);
    const result = fixed(`Write ${list}`, modules(value));
    expect(result).toBe(modules(list));
    expect(summaryOf("text-instead-of-list", result)).toEqual([]);
  });

  it("is information while nothing reads the list", () => {
    expect(summary(modules("model.layers", "false"))).toContain("information text-instead-of-list|model.layers");
  });

  it("covers the class list", () => {
    expect(summary(engine("basic_modules: Qwen3DecoderLayer"))).toEqual([
      "warning text-instead-of-list|Qwen3DecoderLayer",
    ]);
  });

  it.each(["${a.b}", "???", "[a]", "[]"])("is content with %s", (value) => {
    expect(summary(modules(value))).toEqual([]);
  });
});
