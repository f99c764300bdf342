import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

function limit(value: string, enabled = "true"): string {
  return engine(`enable_async_activation_offload: ${enabled}`, `activation_offload_host_cache_limit_gb: ${value}`);
}

describe("out-of-range", () => {
  it.each(["-1", "-0.5", ".inf", "-.inf", ".nan", "8589934592", "1e10"])("finds a cache limit of %s", (value) => {
    expect(summary(limit(value))).toEqual([`error out-of-range|${value}`]);
    const result = fixed("Write the default, 4.0", limit(value));
    expect(result).toBe(limit("4.0"));
    expect(summary(result)).toEqual([]);
  });

  it.each(["0", "0.0", "4", "0.25", "8589934591"])("is content with a cache limit of %s", (value) => {
    expect(summary(limit(value))).toEqual([]);
  });

  it("calls a limit that is only too large for VeOmni information while offload is off", () => {
    expect(summary(limit("8589934592", "false"))).toContain("information out-of-range|8589934592");
    expect(summary(limit("-1", "false"))).toContain("error out-of-range|-1");
  });

  it.each([
    ["fsdp_size: 0", "0", "-1"],
    ["ulysses_parallel_size: 0", "0", "1"],
    ["expert_parallel_size: -2", "-2", "1"],
    ["pad_to_length_bucket: 0", "0", "1024"],
  ])("finds %s", (line, place, replacement) => {
    expect(summary(engine(line))).toEqual([`error out-of-range|${place}`]);
    expect(summary(fixed(`Write the default, ${replacement}`, engine(line)))).toEqual([]);
  });

  it("has no opinion on -1 for fsdp_size", () => {
    expect(summary(engine("fsdp_size: -1"))).toEqual([]);
  });
});
