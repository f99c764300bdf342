import { describe, expect, it } from "vitest";
import { offloadLines } from "../../../../../src/core/config/veomni/rules/trainingExample.js";
import { type TrainingSource, trainingFixed, trainingSummary } from "../checkedTraining.js";

const offload = offloadLines("enable_async_activation: true");

describe("pinned-memory of VeOmni's own files", () => {
  it.each<[TrainingSource, readonly string[]]>([
    [{ model: ["optimizer: {type: adamw_swap}", ...offload] }, ["information pinned-memory|type: adamw_swap"]],
    [
      {
        model: [
          "optimizer:",
          "  type: adamw_swap",
          "  swap_mem_fraction_static: 0.8",
          "  swap_pin_memory: true",
          ...offload,
        ],
      },
      ["information pinned-memory|swap_pin_memory: true"],
    ],
    [{ model: ["optimizer: {type: adamw_swap, swap_pin_memory: false}", ...offload] }, []],
    [{ model: ["optimizer: {type: adamw}", ...offload] }, []],
    [{ model: ["optimizer: {type: adamw_swap}", "accelerator: {}"] }, []],
  ])("says of %j what it should", (source, expected) => {
    expect(trainingSummary(source)).toEqual(expected);
  });

  it("is settled by its fix", () => {
    const source = { model: ["optimizer: {type: adamw_swap}", ...offload] };
    expect(trainingFixed("Set model.optimizer.swap_pin_memory to false", source)).toContain("swap_pin_memory: false");
  });
});
