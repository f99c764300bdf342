import { describe, expect, it } from "vitest";
import { patternHints } from "../../../../src/core/config/assist/patternHints.js";
import { tinyModel } from "./models.js";

function labels(patterns: readonly string[]): string[] {
  const entries = patterns.map((text, at) => ({ text, span: { start: 100 * at, end: 100 * at + text.length } }));
  return patternHints(entries, tinyModel()).map(({ label, offset }) => `${label} @${offset}`);
}

describe("patternHints", () => {
  it("counts what each pattern adds, behind the pattern", () => {
    expect(labels(["model.layers.[01]", "model.layers.*", "nothing.*"])).toEqual([
      "2 modules @17",
      "2 modules @114",
      "nothing @209",
    ]);
  });

  it("names the failure, and what is not reached behind it", () => {
    expect(labels(["model.{*}", "model.norm"])).toEqual(["TypeError @9", "not reached @110"]);
  });

  it("has nothing to say about an empty list", () => {
    expect(labels([])).toEqual([]);
  });

  it("tells the range of offload indices", () => {
    const entries = [
      { text: "model.norm", span: { start: 0, end: 10 } },
      { text: "model.layers.{*}", span: { start: 20, end: 36 } },
    ];
    const tooltips = patternHints(entries, tinyModel()).map(({ tooltip }) => tooltip);
    expect(tooltips[0]).toContain("`model.norm`, offload index 0.");
    expect(tooltips[1]).toContain("`model.layers.0` to `model.layers.3`, offload indices 1 to 4;");
  });
});
