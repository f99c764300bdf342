import { describe, expect, it } from "vitest";
import { groupPrefix } from "../../../../src/core/modules/selection/groupPattern.js";

describe("groupPrefix", () => {
  it.each([
    ["model.layers.{*}", "model.layers"],
    ["model.layers{*}", "model.layers"],
    ["model.layers...{*}.mlp", "model.layers"],
    ["a.{*}.b.{*}", "a"],
    [".{*}", ""],
    ["{*}", ""],
    [".a.{*}", ".a"],
  ])("of %s is %j", (pattern, prefix) => {
    expect(groupPrefix(pattern)).toBe(prefix);
  });
});
