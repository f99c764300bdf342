import { describe, expect, it } from "vitest";
import { problemText } from "../../../../src/cli/report/problemText.js";

describe("problemText", () => {
  it("keeps short problems in one line", () => {
    const text = problemText({ code: "A_B", message: "It failed.", cause: "So.", nextStep: "Try again." });
    expect(text).toBe("A_B: It failed. So. Try again.");
  });

  it("lays long ones out over lines that a terminal has room for, without losing a word", () => {
    const path = `/${"long/".repeat(30)}libcuda.so.1`;
    const cause = `Tried: ${Array.from({ length: 12 }, (_, at) => `libcuda.so.${at} (not found)`).join("; ")}; ${path} (no).`;
    const text = problemText({ code: "DRIVER_ABSENT", message: "There is no driver.", cause, nextStep: "Install it." });
    const lines = text.split("\n");
    expect(lines[0]).toBe("DRIVER_ABSENT: There is no driver.");
    expect(lines[1]).toMatch(/^ {2}Tried: libcuda/);
    expect(lines.at(-1)).toBe("  Install it.");
    expect(lines.filter((line) => line.length > 120)).toEqual([`  ${path}`]);
    expect(text.replace(/\s+/g, " ")).toBe(`DRIVER_ABSENT: There is no driver. ${cause} Install it.`);
  });
});
