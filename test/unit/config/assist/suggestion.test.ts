import { describe, expect, it } from "vitest";
import { rank, snippetChoice, snippetText } from "../../../../src/core/config/assist/suggestion.js";

describe("snippet texts", () => {
  it("hold no tab stops by accident", () => {
    expect(snippetText("a.{*} ${x} \\n")).toBe("a.{*\\} \\${x\\} \\\\n");
    expect(snippetChoice(2, ["a,b", "c|d", "e"])).toBe("${2|a\\,b,c\\|d,e|}");
  });

  it("are ordered as numbers are", () => {
    expect(rank(1, 2) < rank(1, 10)).toBe(true);
    expect(rank(1, 99) < rank(2)).toBe(true);
  });
});
