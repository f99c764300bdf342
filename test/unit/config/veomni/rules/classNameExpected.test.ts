import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("class-name-expected", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["basic_modules: [Qwen3DecoderLayer, model.layers.*]"] }, ["warning class-name-expected|model.layers.*"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "class-name-expected")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ model: ["basic_modules: [Qwen3DecoderLayer]"] }]])("is silent on %j", (source) => {
    expect(trainingSummary(source, "class-name-expected")).toEqual([]);
  });
});
