import { describe, expect, it } from "vitest";
import { code, escapeMarkdown } from "../../../../src/core/config/assist/markdown.js";

describe("code", () => {
  it("keeps any text inside", () => {
    expect(code("a")).toBe("`a`");
    expect(code("a`b``c")).toBe("``` a`b``c ```");
    expect(code("a\nb")).toBe("`a b`");
  });
});

describe("escapeMarkdown", () => {
  it("shows names with underscores and globs as they are", () => {
    expect(escapeMarkdown("__post_init__ takes *.layers [0-3]")).toBe(
      "\\_\\_post\\_init\\_\\_ takes \\*.layers \\[0-3\\]",
    );
    expect(escapeMarkdown("<b>")).toBe("\\<b>");
  });
});
