import { describe, expect, it } from "vitest";
import {
  counted,
  formatBytes,
  formatDifference,
  formatExactBytes,
  formatNs,
  formatNsRange,
  formatRate,
  formatShare,
  formatSignedShare,
} from "../../../src/core/base/quantities.js";

/** No-break spaces are right on the screen and unreadable in a test. */
const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u2212", "-");

describe("quantities", () => {
  it("counts one thing in the singular", () => {
    expect([0, 1, 2, 1234].map((count) => counted(count, "kernel"))).toEqual([
      "0 kernels",
      "1 kernel",
      "2 kernels",
      "1,234 kernels",
    ]);
  });

  it("writes bytes in binary units with three digits", () => {
    expect(
      [0, 1, 1023, 1024, 1536, 196_608, 1_048_575, 2_755_757_056, -1536].map((n) => plain(formatBytes(n))),
    ).toEqual(["0 B", "1 B", "1023 B", "1.00 KiB", "1.50 KiB", "192 KiB", "1.00 MiB", "2.57 GiB", "-1.50 KiB"]);
    expect(plain(formatExactBytes(2_755_757_056))).toBe("2,755,757,056 B");
  });

  it("writes a change as a share with its sign", () => {
    const shares = [0.003, 0.0996, -0.12, 0, 1.5, 11.4].map((share) => plain(formatSignedShare(share)));
    expect(shares).toEqual(["+0.3 %", "+10 %", "-12 %", "+0.0 %", "+150 %", "12 x"]);
  });

  it("writes times in the unit that keeps them short", () => {
    expect([0, 7, 999, 1000, 12_345, 999_999, 1_500_000, 61e9, -2e6].map((n) => plain(formatNs(n)))).toEqual([
      "0 ns",
      "7 ns",
      "999 ns",
      "1.00 µs",
      "12.3 µs",
      "1.00 ms",
      "1.50 ms",
      "61.0 s",
      "-2.00 ms",
    ]);
  });

  it("says the unit of two times once where it is the same", () => {
    expect(plain(formatNsRange(1.03e9, 1.21e9))).toBe("1.03–1.21 s");
    expect(plain(formatNsRange(970e6, 1.21e9))).toBe("970 ms – 1.21 s");
    expect(plain(formatNsRange(20e3, 20e6))).toBe("20.0 µs – 20.0 ms");
  });

  it("writes rates and shares, and nothing for what has none", () => {
    expect(plain(formatRate(54_900_000, 1_000_000))).toBe("54.9 GB/s");
    expect([formatRate(0, 10), formatRate(10, 0)]).toEqual(["", ""]);
    expect([0, 0.001, 0.5, 0.999, 1].map((share) => plain(formatShare(share)))).toEqual([
      "0 %",
      "<1 %",
      "50 %",
      ">99 %",
      "100 %",
    ]);
  });

  it("writes differences with sign and share", () => {
    expect(plain(formatDifference(50, 100, formatBytes))).toBe("-50 B (-50 %)");
    expect(formatDifference(1116063872.1 + 1e-7, 1116063872.1, formatNs)).toBe("±0");
    expect(plain(formatDifference(12_000, 1000, formatNs))).toBe("+11.0 µs (12 x)");
    expect(plain(formatDifference(-12_000, -1000, formatNs))).toBe("-11.0 µs (12 x)");
    expect(plain(formatDifference(1_234_000, 1, formatBytes))).toBe("+1.18 MiB (1,234,000 x)");
    expect(plain(formatDifference(12_000, -1000, formatNs))).toBe("+13.0 µs");
    expect(plain(formatDifference(11_000, 1000, formatNs))).toBe("+10.0 µs (+1000 %)");
    expect(plain(formatShare(10))).toBe("1000 %");
    expect(plain(formatShare(12.4))).toBe("12 x");
    expect(plain(formatDifference(3000, 2000, formatBytes))).toBe("+1000 B (+50 %)");
    expect(plain(formatDifference(2048, 0, formatBytes))).toBe("+2.00 KiB");
    expect(formatDifference(7, 7, formatBytes)).toBe("±0");
    expect(plain(formatDifference(9_966, 10_000, formatBytes))).toBe("-34 B (-0.3 %)");
    expect(plain(formatDifference(995, 1000, formatBytes))).toBe("-5 B (-0.5 %)");
    expect(plain(formatDifference(3, 1000, formatBytes))).toBe("-997 B (-99.7 %)");
    expect(plain(formatDifference(1, 1e6, formatBytes))).toBe("-977 KiB (-99.9 %)");
    expect(plain(formatDifference(0, 1000, formatBytes))).toBe("-1000 B (-100 %)");
  });
});
