import { expect, test } from "vitest";
import { stepWorkload } from "../../../src/core/base/stepWorkload.js";
import type { OffloadSettings } from "../../../src/core/config/document/offloadSettings.js";
import { effectRequest } from "../../../src/core/effect/effectRequest.js";

const workload = stepWorkload({ seqLen: 8192, microBatch: 2 });
const block: OffloadSettings = {
  blockPath: "b",
  blockSpan: { start: 0, end: 0 },
  enabled: true,
  patterns: ["model.layers.*"],
  cacheLimitGb: 0.5,
  gradientCheckpointing: false,
};

test("the block's own settings with and without offload, two steps", () => {
  expect(effectRequest("{}", block, workload, "sim:A100")).toEqual({
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
  expect(effectRequest("{}", { ...bare, patterns: undefined }, stepWorkload({ layers: 4 }), "sim:A100")).toMatchObject({
    gradientCheckpointing: "on",
    patterns: [],
    cacheLimitGb: 4,
    layers: 4,
  });
});

test("nothing to simulate: offload is off, or the patterns are no list of texts", () => {
  expect(effectRequest("{}", { ...block, enabled: false }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, enabled: undefined }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, patterns: "model.layers.*" }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, patternsNotTexts: true }, workload, "sim:A100")).toBeUndefined();
});
