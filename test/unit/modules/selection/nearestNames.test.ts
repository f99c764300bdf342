import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../../src/core/modules/selection/nearestNames.js";

describe("nearestNames", () => {
  it("lists the closest first and leaves out the far", () => {
    expect(nearestNames("layer", ["lm_head", "layers", "player", "norm"])).toEqual(["layers", "player"]);
  });

  it("knows nothing for empty and for very long texts", () => {
    expect(nearestNames("", ["a"])).toEqual([]);
    expect(nearestNames("a".repeat(100), ["a".repeat(100)])).toEqual([]);
  });
});
