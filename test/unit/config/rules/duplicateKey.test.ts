import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../checkedText.js";

describe("duplicate-key", () => {
  it("finds the second of two equal keys, and removes it", () => {
    const text = engine("seed: 1", "fsdp_size: 8", "seed: 2 # again");
    expect(summary(text)).toEqual(["error duplicate-key|seed"]);
    expect(findingsIn(text)[0]?.message).toContain("line 2");
    const result = fixed("Remove this entry, keep line 2", text);
    expect(result).toBe(engine("seed: 1", "fsdp_size: 8"));
    expect(summary(result)).toEqual([]);
  });

  it("looks at the whole file, as the loader does", () => {
    expect(summary("trainer: {a: 1, a: 2}\ncritic: {veomni: {seed: 1}}\n")).toEqual(["error duplicate-key|a"]);
  });

  it("tells n from off and lets merge keys be overridden", () => {
    expect(summary("x: {n: 1, off: 2}\ncritic: {veomni: &v {seed: 1}}\ny: {<<: *v, seed: 2}\n")).toEqual([]);
  });
});
