import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("ep-outside", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["accelerator: {ep_size: 2, ep_outside: true}"] }, ["error ep-outside|ep_outside: true"]],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "ep-outside")).toEqual(expected);
  });

  it.each<[TrainingSource]>([
    [{ model: ["accelerator: {ep_size: 1, ep_outside: true}"] }],
    [{ model: ["accelerator: {ep_size: 2, ep_outside: false}"] }],
  ])("is silent on %j", (source) => {
    expect(trainingSummary(source, "ep-outside")).toEqual([]);
  });
});
