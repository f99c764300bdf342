import { describe, expect, it } from "vitest";
import { asWritten, hiding } from "../../../../src/core/modules/source/asWritten.js";

describe("asWritten", () => {
  it("hides in every text of a problem, the longer of two first", () => {
    const hide = asWritten([
      { text: "/s", shown: "$S" },
      { text: "/s/hub", shown: "$CACHE" },
    ]);
    expect(hide({ code: "C", message: "/s/hub/m and /s/m.", cause: "/s.", nextStep: "Look at /s." })).toEqual({
      code: "C",
      message: "$CACHE/m and $S/m.",
      cause: "$S.",
      nextStep: "Look at $S.",
    });
    expect(hide({ code: "C", message: "m", nextStep: "n" })).toEqual({ code: "C", message: "m", nextStep: "n" });
  });

  it("leaves texts alone that hide nothing, and takes a dollar for itself", () => {
    expect(hiding([{ text: "", shown: "x" }])("abc")).toBe("abc");
    expect(hiding([{ text: "b", shown: "$&$1" }])("abc")).toBe("a$&$1c");
  });
});
