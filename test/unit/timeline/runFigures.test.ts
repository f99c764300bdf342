import { describe, expect, it } from "vitest";
import { baselineOf, figuresOf, keptActivationBytes, runTitle } from "../../../src/core/timeline/runFigures.js";
import { sampleProfile } from "../profile/sampleProfile.js";

const { result } = sampleProfile(4);

describe("runFigures", () => {
  it("takes none with the same checkpointing as the baseline", () => {
    expect(result.runs.map((_, at) => baselineOf(result, at))).toEqual([undefined, 0, undefined, 2]);
    const alone = { ...result, runs: result.runs.slice(1, 2) };
    expect(baselineOf(alone, 0)).toBeUndefined();
  });

  it("shows five figures with their differences", () => {
    const figures = figuresOf(result, 1);
    expect(figures.map((figure) => figure.id)).toEqual(["step", "afterForward", "peak", "pinned", "exposed"]);
    const after = figures[1];
    const [none, offload] = result.runs;
    if (after === undefined || none === undefined || offload === undefined) throw new Error("sample has no runs");
    expect(keptActivationBytes(offload)).toBeLessThan(keptActivationBytes(none));
    expect(after.trend).toBe("better");
    expect(after.difference).toContain("\u2212");
    expect(figures[4]?.trend).toBe("worse");
    expect(figuresOf(result, 0).every((figure) => figure.difference === null)).toBe(true);
    expect(figuresOf(result, 9)).toEqual([]);
  });

  it("names a run by strategy and checkpointing", () => {
    expect(result.runs.map(runTitle)[1]).toBe("veomni_async · checkpointing on");
  });
});
