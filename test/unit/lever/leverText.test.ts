import { describe, expect, it } from "vitest";
import {
  leversLine,
  leverTitle,
  memoryChange,
  shortKey,
  timeChange,
  valueText,
} from "../../../src/core/lever/leverText.js";
import { lever, leverTable } from "./sampleTable.js";

const GIB = 1024 ** 3;

describe("levers in words", () => {
  it("names the peak, its phase, and counts keys, not values", () => {
    expect(leversLine(leverTable())).toBe("peak 34.0 GiB in head backward · 1 key would lower it");
    const two = [lever(), lever({ value: false }), lever({ key: "trainer.nnodes", value: 2 })];
    expect(leversLine(leverTable({ levers: two }))).toBe("peak 34.0 GiB in head backward · 2 keys would lower it");
    expect(leversLine(leverTable({ levers: [] }))).toContain("no key would lower it");
  });

  it("says that the stack alone is meant", () => {
    const table = leverTable({ phase: undefined, stackOnly: "no ranks", peakBytes: 2 * GIB });
    expect(leversLine(table)).toBe("peak 2.0 GiB (stack only) · 1 key would lower it");
  });

  it("titles a lever with its effect", () => {
    expect(leverTitle(lever(), leverTable())).toBe(
      "entropy_from_logits_with_chunking = true: peak 34.0 → 22.5 GiB, step +1.3 % (within the simulated range)",
    );
    const more = lever({ key: "trainer.nnodes", value: 2, stepMsAfter: 500, stepTrend: "better", ranksAfter: 16 });
    expect(leverTitle(more, leverTable())).toBe("nnodes = 2: peak 34.0 → 22.5 GiB, step −50 %, on 16 ranks");
  });

  it("calls no step faster that the simulator cannot tell apart", () => {
    const faster = lever({ stepMsAfter: 950 });
    expect(timeChange(faster, leverTable())).toBe("−5.0 % (within the simulated range)");
    expect(timeChange({ ...faster, stepTrend: "better" }, leverTable())).toBe("−5.0 %");
    expect(timeChange({ ...faster, stepMsAfter: 1000.1 }, leverTable())).toBe("the same");
  });

  it.each([
    [34 * GIB, 22.5 * GIB, "34.0 → 22.5 GiB"],
    [1.5 * GIB, 0.5 * GIB, "1.5 GiB → 512 MiB"],
    [34 * GIB, 34.01 * GIB, "stays 34.0 GiB"],
  ])("%d to %d bytes", (before, after, text) => {
    expect(memoryChange(before, after)).toBe(text);
  });

  it("shortens keys and writes lists", () => {
    expect(shortKey("train.gradient_checkpointing.enable")).toBe("gradient_checkpointing.enable");
    expect(shortKey("train.micro_batch_size")).toBe("micro_batch_size");
    expect(valueText(["model.layers.{*}"])).toBe("[model.layers.{*}]");
  });
});
