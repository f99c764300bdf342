import { describe, expect, it } from "vitest";
import { measuredHints } from "../../../src/core/profile/measuredHints.js";
import type { ProfileResult } from "../../../src/core/profile/result.js";
import { sampleOffloadRun, sampleResult, sampleRun } from "./sampleResult.js";

const block = [
  "veomni:",
  "  enable_async_activation_offload: true  # on",
  "  activation_offload_modules:",
  '    - "model.layers.{*}"',
  "  activation_offload_host_cache_limit_gb: 4.0",
  "  other: 1",
].join("\n");
const start = 100;

/** `text of the line -> label`, with plain spaces. */
function shown(result: ProfileResult): readonly string[] {
  return measuredHints(block, start, result).map(({ offset, label }) => {
    const before = block.slice(0, offset - start);
    return `${before.slice(before.lastIndexOf("\n") + 1).trim()} -> ${label.replaceAll("\u00a0", " ").replaceAll("\u2212", "-")}`;
  });
}

describe("measured hints", () => {
  it("stand behind the keys of the block, with the device", () => {
    expect(shown(sampleResult([sampleRun(), sampleOffloadRun]))).toEqual([
      "enable_async_activation_offload: true -> -1.00 MiB (-50 %) after forward, step +2.00 ms, noise unknown · measured on cpu",
      "activation_offload_modules: -> 3 × 64.0 KiB each way, 86 % hidden · measured on cpu",
      "activation_offload_host_cache_limit_gb: 4.0 -> 3 new, 6 reused; 192 KiB pinned · measured on cpu",
    ]);
  });

  it("name the driver, and say what was simulated", () => {
    const device = { kind: "cuda", name: "GPU [0]", driver: "580.65", d2hGBps: 55, h2dGBps: 55, matmul: "" } as const;
    const measured = measuredHints(block, 0, sampleResult([sampleRun(), sampleOffloadRun], { device }));
    expect(measured[0]?.label).toContain("measured on cuda, driver 580.65");
    expect(measured[0]?.tooltip).toContain("GPU \\[0\\]");
    const simulated = { ...device, kind: "sim", name: "H200", driver: null } as const;
    const result = sampleResult([sampleRun(), sampleOffloadRun], { device: simulated });
    expect(measuredHints(block, 0, result)[0]?.label).toContain("simulated H200");
  });

  it("say when nothing was copied", () => {
    const still = { ...sampleOffloadRun, copies: sampleRun().copies };
    expect(shown(sampleResult([sampleRun(), still]))[1]).toContain("nothing is copied");
  });

  it("are absent without a comparison of VeOmni's offload with its baseline", () => {
    expect(shown(sampleResult([sampleRun()]))).toEqual([]);
    expect(shown(sampleResult([sampleOffloadRun]))).toEqual([]);
    expect(shown(sampleResult([sampleRun({ gradientCheckpointing: false }), sampleOffloadRun]))).toEqual([]);
  });
});
