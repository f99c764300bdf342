import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../../src/core/config/document/diagnostic.js";
import { inTextOrder } from "../../../../src/core/config/document/inTextOrder.js";

function at(start: number, end: number, code = "a"): Diagnostic {
  return { span: { start, end }, severity: "error", code, message: `${code}${start}`, fixes: [] };
}

describe("inTextOrder", () => {
  it("sorts by start, then end, and drops repeats of one rule at one place", () => {
    const sorted = inTextOrder([at(5, 9), at(0, 4), at(5, 7), at(0, 4), at(0, 4, "b")]);
    expect(sorted.map(({ span, code }) => [span.start, span.end, code])).toEqual([
      [0, 4, "a"],
      [0, 4, "b"],
      [5, 7, "a"],
      [5, 9, "a"],
    ]);
  });
});
