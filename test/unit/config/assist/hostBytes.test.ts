import { describe, expect, it } from "vitest";
import { bytesText, limitBytes, limitMarkdown } from "../../../../src/core/config/assist/hostBytes.js";

describe("limitBytes", () => {
  it("counts in units of 1024³ and rounds down", () => {
    expect(limitBytes(4)).toBe(4_294_967_296);
    expect(limitBytes(0.1)).toBe(107_374_182);
    expect(limitBytes(0)).toBe(0);
  });

  it("has no answer for what the frameworks refuse", () => {
    for (const limit of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(limitBytes(limit)).toBeUndefined();
  });
});

describe("limitMarkdown", () => {
  it("says how many layer inputs fit, and what a block costs", () => {
    const text = limitMarkdown(4);
    expect(text).toContain("4,294,967,296 bytes of idle pinned buffers");
    expect(text).toContain("139,264,000 bytes takes a block of 268,435,456 bytes");
    expect(text).toContain("so 30 of them fit;");
  });

  it("says what 0 and refused values mean", () => {
    expect(limitMarkdown(0)).toContain("0 keeps no idle buffer");
    expect(limitMarkdown(-1)).toContain("refuse");
    expect(limitMarkdown(0.1)).toContain("not even one of them fit");
  });
});

describe("bytesText", () => {
  it("groups digits", () => {
    expect([0, 1, 1_234_567].map(bytesText)).toEqual(["0 bytes", "1 byte", "1,234,567 bytes"]);
  });
});
