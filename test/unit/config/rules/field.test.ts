import { describe, expect, it } from "vitest";
import { pythonNumber } from "../../../../src/core/config/rules/field.js";

describe("pythonNumber", () => {
  it.each([
    ["int", 4, "4"],
    ["float", 4, "4.0"],
    ["float", 0.25, "0.25"],
    ["float", 1e-7, "1.0e-7"],
    ["float", 1.5e-7, "1.5e-7"],
  ] as const)("%s %d", (type, value, expected) => {
    expect(pythonNumber(type, value)).toBe(expected);
  });
});
