import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../../checkedText.js";

const replace =
  "Replace by enable_async_activation_offload, activation_offload_modules, activation_offload_host_cache_limit_gb";
const newKeys = [
  "enable_async_activation_offload: true",
  "activation_offload_modules: []",
  "activation_offload_host_cache_limit_gb: 4.0",
];

describe("removed-key", () => {
  it("finds activation_gpu_limit and puts the new keys in its place", () => {
    const text = engine("seed: 1", "activation_gpu_limit: 0.5 # GB", "fsdp_size: 8");
    expect(summary(text)).toEqual(["error removed-key|activation_gpu_limit"]);
    const result = fixed(replace, text);
    expect(result).toBe(engine("seed: 1", ...newKeys, "fsdp_size: 8"));
    expect(summary(result)).toEqual([]);
  });

  it("turns the synchronous switch off with the same fix", () => {
    const text =
      "actor_rollout_ref:\n  model:\n    enable_activation_offload: True\n  actor:\n    veomni: {activation_gpu_limit: 0.0}\n";
    const result = fixed(replace, text);
    expect(result).toBe(
      `actor_rollout_ref:\n  model:\n    enable_activation_offload: false\n  actor:\n    veomni: {${newKeys.join(", ")}}\n`,
    );
    expect(summary(result)).toEqual([]);
  });

  it("follows the format of verl's own tree, comments included", () => {
    const path = "verl/trainer/config/engine/veomni.yaml";
    const text =
      "# Seed\nseed: 1\n\n# GB that may stay on the GPU\nactivation_gpu_limit: 0.5\n\n# Ranks\nfsdp_size: 8\n";
    const result = fixed(replace, text, path);
    expect(summary(result, path)).toEqual([]);
    const lines = result.split("\n");
    expect(lines).not.toContain("# GB that may stay on the GPU");
    for (const key of newKeys) {
      const at = lines.indexOf(key);
      expect([lines[at - 2], (lines[at - 1] ?? "").startsWith("# "), lines[at + 1]]).toEqual(["", true, ""]);
    }
    expect(fixed("Remove activation_gpu_limit", text, path)).toBe("# Seed\nseed: 1\n\n\n# Ranks\nfsdp_size: 8\n");
  });

  it("offers removal first where the limit was not in use", () => {
    const titles = findingsIn(engine("activation_gpu_limit: 0.0"))[0]?.fixes.map((fix) => fix.title);
    expect(titles).toEqual(["Remove activation_gpu_limit", replace]);
  });

  it("adds only the keys that are missing", () => {
    const text = engine(
      "enable_async_activation_offload: true",
      "activation_offload_modules: [a.*]",
      "activation_gpu_limit: 1",
    );
    const result = fixed("Replace by activation_offload_host_cache_limit_gb", text);
    expect(result).toBe(text.replace("activation_gpu_limit: 1", "activation_offload_host_cache_limit_gb: 4.0"));
    expect(summary(result)).toEqual([]);
  });
});
