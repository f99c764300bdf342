import { describe, expect, it } from "vitest";
import { terminalText } from "../../../../src/cli/report/terminalText.js";

describe("terminalText", () => {
  it("writes control characters out and leaves the rest alone", () => {
    expect(terminalText("a\u001b[31mred\u0007\r\n\u009b\u202eb")).toBe(
      "a\\u001b[31mred\\u0007\\u000d\n\\u009b\\u202eb",
    );
    expect(terminalText("35 × 2,048 ä \u{1f600}\u00a0…\n")).toBe("35 × 2,048 ä \u{1f600}\u00a0…\n");
  });
});
