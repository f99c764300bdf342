import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

function modules(value: string): string {
  return engine("enable_async_activation_offload: true", `activation_offload_modules: ${value}`, "seed: 1");
}

describe("unquoted-pattern", () => {
  it.each([
    ["[model.layers.{*}]", "model.layers.{*}", '["model.layers.{*}"]'],
    ["[a.*, model.layers.[0-3]]", "model.layers.[0-3]", '[a.*, "model.layers.[0-3]"]'],
    ["[model.layers.{*}.mlp]", "model.layers.{*}.mlp", '["model.layers.{*}.mlp"]'],
    ["[*]", "*", '["*"]'],
    ["{*}", "{*}", '["{*}"]'],
    ["*", "*", '["*"]'],
    ["\n  - *.layers # c", "*.layers", '\n  - "*.layers" # c'],
    ["\n  - {*}", "{*}", '\n  - "{*}"'],
    ["[${a.b}]", "${a.b}", '["${a.b}"]'],
  ])("finds %j and quotes it", (value, place, after) => {
    const text = modules(value);
    expect(summary(text)).toEqual([`error unquoted-pattern|${place}`]);
    const quoted = value.startsWith("[") || value.startsWith("\n") ? `"${place}"` : `["${place}"]`;
    const result = fixed(`Write ${quoted}`, text);
    expect(result).toBe(modules(after));
    expect(summary(result).filter((line) => !line.startsWith("warning pattern-"))).toEqual([]);
  });

  it("offers to quote all at once", () => {
    const result = fixed("Quote all 2 patterns", modules("[a.{*}, b, c.{*}]"));
    expect(result).toBe(modules('["a.{*}", b, "c.{*}"]'));
    expect(summary(result)).toEqual([]);
  });

  it("looks at the class list too", () => {
    expect(summary(engine("basic_modules: [*]"))).toEqual(["error unquoted-pattern|*"]);
  });

  it.each(["[model.layers.*]", '["model.layers.{*}"]', "\n  - model.layers.{*}", "\n  - model.layers.[0-3]", "[]"])(
    "is content with %j",
    (value) => {
      expect(summary(modules(value))).toEqual([]);
    },
  );

  it("leaves other syntax errors to the general rule", () => {
    expect(summary(engine("seed: [1", "fsdp_size: *x")).every((line) => !line.includes("unquoted"))).toBe(true);
  });
});
