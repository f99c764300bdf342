import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("compile-cuda-graphs", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      { model: ["accelerator: {torch_compile: {enable: true, mode: reduce-overhead}}"] },
      ["error compile-cuda-graphs|mode: reduce-overhead"],
    ],
    [
      { model: ["accelerator: {torch_compile: {enable: true, backend: cudagraphs}}"] },
      ["error compile-cuda-graphs|backend: cudagraphs"],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "compile-cuda-graphs")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [
      {
        model: [
          "accelerator: {torch_compile: {enable: true, mode: reduce-overhead}, fsdp_config: {reshard_after_forward: false}}",
        ],
      },
    ],
    [{ model: ["accelerator: {torch_compile: {mode: reduce-overhead}}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "compile-cuda-graphs")).toEqual([]);
  });
});
