import { describe, expect, it } from "vitest";
import { type TrainingSource, trainingSummary } from "../checkedTraining.js";

describe("unmerged-key", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [
      {
        model: [
          "ops_implementation: {cross_entropy_loss_release_cache: true}",
          "accelerator:",
          "  offload_config:",
          "    selection: {module_classes: [A]}",
          "    prefetch: 1",
          "    exclude_parameter_views: true",
        ],
      },
      [
        "error unmerged-key|cross_entropy_loss_release_cache",
        "error unmerged-key|selection",
        "error unmerged-key|prefetch",
        "error unmerged-key|exclude_parameter_views",
      ],
    ],
  ])("finds it in %j", (source, expected) => {
    expect(trainingSummary(source, "unmerged-key")).toEqual(expected);
  });

  it.each<[TrainingSource]>([[{ model: ["accelerator:", "  offload_config:", "    enable_async_activation: true"] }]])(
    "is silent on %j",
    (source) => {
      expect(trainingSummary(source, "unmerged-key")).toEqual([]);
    },
  );
});
