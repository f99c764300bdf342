import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

describe("modules-without-switch", () => {
  it("finds a list while the switch is off, and turns it on", () => {
    const text = engine("enable_async_activation_offload: false", "activation_offload_modules: [a.*]");
    expect(summary(text)).toEqual(["warning modules-without-switch|activation_offload_modules"]);
    const result = fixed("Turn on enable_async_activation_offload", text);
    expect(result).toBe(engine("enable_async_activation_offload: true", "activation_offload_modules: [a.*]"));
    expect(summary(result)).toEqual([]);
  });

  it("finds a list without any switch, and adds it behind the list", () => {
    const text = engine("activation_offload_modules:", "  - a.*  # layers", "seed: 1");
    expect(summary(text)).toEqual(["warning modules-without-switch|activation_offload_modules"]);
    const result = fixed("Turn on enable_async_activation_offload", text);
    expect(result).toBe(
      engine("activation_offload_modules:", "  - a.*  # layers", "enable_async_activation_offload: true", "seed: 1"),
    );
    expect(summary(result)).toEqual([]);
  });

  it.each([
    ["enable_async_activation_offload: true", "[a.*]"],
    ["enable_async_activation_offload: ${a.b}", "[a.*]"],
    ["enable_async_activation_offload: false", "[]"],
    ["seed: 1", "${a.b.c}"],
  ])("is content with %s and %s", (line, value) => {
    const findings = summary(engine(line, `activation_offload_modules: ${value}`));
    expect(findings).toEqual([]);
  });
});
