import { expect, test } from "vitest";
import type { OffloadSettings } from "../../../src/core/config/document/offloadSettings.js";
import { effectRequest } from "../../../src/core/effect/effectRequest.js";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { jobIn, jobOf, jobText } from "../config/jobs.js";

const workload = jobStep({ seqLen: 8192, microBatch: 2 }, undefined);
const block: OffloadSettings = {
  blockPath: "b",
  blockSpan: { start: 0, end: 0 },
  enabled: true,
  patterns: ["model.layers.*"],
  cacheLimitGb: 0.5,
  gradientCheckpointing: false,
};

test("the block's own settings with and without offload, two steps", () => {
  const asked = effectRequest("{}", block, workload, "sim:A100");
  expect(asked?.ok && asked.value.request).toEqual({
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
  const asked = effectRequest("{}", { ...bare, patterns: undefined }, jobStep({ layers: 4 }, undefined), "sim:A100");
  expect(asked?.ok && asked.value.request).toMatchObject({
    gradientCheckpointing: "on",
    patterns: [],
    cacheLimitGb: 4,
    layers: 4,
  });
});

test("the whole step of the block's job, and what of it is asked", () => {
  const question = effectRequest("{}", block, jobStep({}, { workload: jobIn("dynamic.yaml") }), "sim:H200");
  expect(question?.ok && question.value).toMatchObject({
    request: { seqLens: [32_768], microBatch: 1, worldSize: 16, head: "verl_flash", accumulation: 2, steps: 2 },
    scope: { accumulation: 32 },
  });
});

test("what is wrong in the job is told instead of figures", () => {
  const broken = jobOf("c.yaml", jobText("dynamic.yaml").replace("n: 8", "n: -8"));
  expect(effectRequest("{}", block, jobStep({}, { workload: broken }), "sim:H200")).toMatchObject({
    ok: false,
    problem: { code: "WORKLOAD_VALUE_INVALID" },
  });
});

test("nothing to simulate: offload is off, or the patterns are no list of texts", () => {
  expect(effectRequest("{}", { ...block, enabled: false }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, enabled: undefined }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, patterns: "model.layers.*" }, workload, "sim:A100")).toBeUndefined();
  expect(effectRequest("{}", { ...block, patternsNotTexts: true }, workload, "sim:A100")).toBeUndefined();
});

test("lines typed above the job change where it stands, not the request: its answer is found again", () => {
  const asked = (text: string) => {
    const question = effectRequest("{}", block, jobStep({}, { workload: jobOf("job.yaml", text) }), "sim:H200");
    return question?.ok ? question.value : undefined;
  };
  const before = asked(jobText("dynamic.yaml"));
  const after = asked(`# a note\n${jobText("dynamic.yaml")}`);
  expect(before?.request.head).toBe("verl_flash");
  expect(after?.request).toEqual(before?.request);
  expect(after?.step).not.toEqual(before?.step);
});
