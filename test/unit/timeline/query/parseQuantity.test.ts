import { describe, expect, it } from "vitest";
import { parseByteSize, parseDuration } from "../../../../src/core/timeline/query/parseQuantity.js";

describe("durations", () => {
  it.each([
    ["1.5 ms", 1_500_000],
    ["20us", 20_000],
    ["20 µs", 20_000],
    ["300 ns", 300],
    ["2 s", 2e9],
    ["7", 7_000],
    [" .5 MS ", 500_000],
  ])("reads %j", (text, ns) => expect(parseDuration(text)).toBe(ns));

  it("tells nothing typed from something unreadable", () => {
    expect(parseDuration("  ")).toBeUndefined();
    for (const text of ["fast", "1 h", "-3 ms", "1e3 ms", "1 ms 2", "1.2.3 s", "5 constructor"])
      expect(parseDuration(text), text).toBeNull();
  });
});

describe("sizes", () => {
  it.each([
    ["64 MiB", 67_108_864],
    ["64M", 67_108_864],
    ["1.5 GiB", 1_610_612_736],
    ["2 GB", 2e9],
    ["512", 512],
    ["512 b", 512],
  ])("reads %j", (text, bytes) => expect(parseByteSize(text)).toBe(bytes));

  it("refuses what is no size", () => {
    expect(parseByteSize("")).toBeUndefined();
    for (const text of ["big", "3 ms", "-1", "1 Mi B"]) expect(parseByteSize(text), text).toBeNull();
  });
});
