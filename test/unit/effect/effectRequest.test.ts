import { expect, test } from "vitest";
import type { OffloadSettings } from "../../../src/core/config/document/offloadSettings.js";
import { effectRequest } from "../../../src/core/effect/effectRequest.js";

const workload = { seqLen: 8192, microBatch: 2, layers: undefined, device: "sim:A100" };
const block: OffloadSettings = {
  blockPath: "b",
  blockSpan: { start: 0, end: 0 },
  enabled: true,
  patterns: ["model.layers.*"],
  cacheLimitGb: 0.5,
  gradientCheckpointing: false,
};

test("the block's own settings with and without offload, two steps", () => {
  expect(effectRequest("{}", block, workload)).toEqual({
    configJson: "{}",
    device: "sim:A100",
    strategies: ["none", "veomni_async"],
    gradientCheckpointing: "off",
    seqLens: [8192],
    microBatch: 2,
    patterns: ["model.layers.*"],
    cacheLimitGb: 0.5,
    steps: 2,
  });
});

test("what the block leaves out takes the framework's defaults; an absent list is the automatic mode", () => {
  const { cacheLimitGb: _limit, gradientCheckpointing: _checkpointing, ...bare } = block;
  expect(effectRequest("{}", { ...bare, patterns: undefined }, { ...workload, layers: 4 })).toMatchObject({
    gradientCheckpointing: "on",
    patterns: [],
    cacheLimitGb: 4,
    layers: 4,
  });
});

test("nothing to simulate: offload is off, or the patterns are no list of texts", () => {
  expect(effectRequest("{}", { ...block, enabled: false }, workload)).toBeUndefined();
  expect(effectRequest("{}", { ...block, enabled: undefined }, workload)).toBeUndefined();
  expect(effectRequest("{}", { ...block, patterns: "model.layers.*" }, workload)).toBeUndefined();
  expect(effectRequest("{}", { ...block, patternsNotTexts: true }, workload)).toBeUndefined();
});
