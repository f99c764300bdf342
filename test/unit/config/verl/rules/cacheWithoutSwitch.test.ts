import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

const hint = "hint cache-without-switch|activation_offload_host_cache_limit_gb";

describe("cache-without-switch", () => {
  it.each(["enable_async_activation_offload: false", "seed: 1"])("finds a limit beside %s", (line) => {
    const text = engine(line, "activation_offload_host_cache_limit_gb: 8");
    expect(summary(text)).toEqual([hint]);
    expect(summary(fixed("Turn on enable_async_activation_offload", text))).toEqual([]);
  });

  it.each([
    ["enable_async_activation_offload: true", "8"],
    ["enable_async_activation_offload: false", "4.0"],
    ["enable_async_activation_offload: false", "${a.b}"],
  ])("is content with %s and a limit of %s", (line, limit) => {
    expect(summary(engine(line, `activation_offload_host_cache_limit_gb: ${limit}`))).toEqual([]);
  });
});
