import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("not-implemented", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["optimizer: {grad_clip_scope: global}"] }, ["error not-implemented|global"]],
    [{ model: ["accelerator: {fsdp_config: {fsdp_mode: eager}}"] }, ["error not-implemented|eager"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "not-implemented")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["optimizer: {grad_clip_scope: per_module}"] }],
    [{ model: ["accelerator: {fsdp_config: {fsdp_mode: ddp}}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "not-implemented")).toEqual([]);
  });
});
