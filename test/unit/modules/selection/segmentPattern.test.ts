import { describe, expect, it } from "vitest";
import { literalSegment, segmentPatterns } from "../../../../src/core/modules/selection/segmentPattern.js";

const best = (wanted: readonly string[], others: readonly string[]) => segmentPatterns(new Set(wanted), others)[0];

describe("segmentPatterns", () => {
  it.each([
    [["0", "1", "2"], [], "*"],
    [["0", "1", "2"], ["3"], "[0-2]"],
    [["0", "2"], ["1"], "[02]"],
    [["10", "11"], ["1", "20"], "1?"],
    [["a_x", "b_x"], ["c_x"], "[ab]_x"],
    [["norm1", "norm22"], ["x"], "norm*"],
    [["q_proj", "gate_proj"], ["norm"], "*_proj"],
    [["only"], ["other"], "only"],
    [["0", "2", "10", "12", "100"], ["1", "11", "101"], "*[02]"],
    [["1", "12"], ["11"], undefined],
  ])("%j without %j", (wanted, others, glob) => {
    expect(best(wanted, others)).toBe(glob);
  });

  it("quotes what a glob would read", () => {
    expect(literalSegment("a*b?[c]")).toBe("a[*]b[?][[]c]");
    expect(best(["a*"], ["ab"])).toBe("a[*]");
  });
});
