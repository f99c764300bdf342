import { expect, it } from "vitest";
import { flagText } from "../../../../src/cli/report/flagText.js";

it("puts the text into the second column and goes on there", () => {
  expect(flagText("--gc on|off|both", "gradient checkpointing (default both)")).toBe(
    "  --gc on|off|both       gradient checkpointing (default both)",
  );
  const long = flagText("--strategy S...", `${"word ".repeat(30)}end`).split("\n");
  expect(long).toHaveLength(2);
  expect(long[0]?.length).toBeLessThanOrEqual(110);
  expect(long[1]?.startsWith(`${" ".repeat(25)}word`)).toBe(true);
  expect(long.join(" ").replace(/\s+/g, " ").trim()).toBe(`--strategy S... ${"word ".repeat(30)}end`);
});

it("keeps one blank behind a flag that is longer than its column", () => {
  expect(flagText("--a-flag-beyond-the-column V", "text")).toBe("  --a-flag-beyond-the-column V text");
});
