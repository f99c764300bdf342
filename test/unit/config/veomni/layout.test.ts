import { describe, expect, it } from "vitest";
import {
  asyncMember,
  inEvery,
  inNested,
  isLayoutId,
  layoutIds,
  moved,
  refusesUnknownKeys,
  untilModelScoped,
} from "../../../../src/core/config/veomni/layout.js";

describe("layouts", () => {
  it("have ids", () => {
    expect(layoutIds.every(isLayoutId)).toBe(true);
    expect(isLayoutId("train_scoped")).toBe(false);
    expect(layoutIds.filter(refusesUnknownKeys)).toEqual(["model-scoped", "model-scoped+template"]);
  });

  it("place keys", () => {
    expect(Object.keys(inEvery("a"))).toEqual(layoutIds);
    expect(inNested("a.b").flat).toBeUndefined();
    expect(moved("x.y", "train.y")).toEqual({
      flat: "train.y",
      "train-scoped": "train.x.y",
      "train-scoped+async": "train.x.y",
      "model-scoped": "model.x.y",
      "model-scoped+template": "model.x.y",
    });
    expect(Object.keys(asyncMember("x"))).toEqual(["train-scoped+async", "model-scoped", "model-scoped+template"]);
    expect(Object.keys(untilModelScoped("x"))).toEqual(["flat", "train-scoped", "train-scoped+async"]);
  });
});
