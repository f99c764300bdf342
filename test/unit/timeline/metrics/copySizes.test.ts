import { expect, it } from "vitest";
import { rateText, sizeText } from "../../../../src/core/timeline/metrics/copySizes.js";

const GIB = 2 ** 30;
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

it("names the bytes alone where all copies have a size", () => {
  expect(plain(sizeText({ count: 5, bytes: GIB, busyNs: 1e9 }))).toBe("1.00 GiB");
  expect(plain(sizeText({ count: 0, bytes: 0, busyNs: 0 }))).toBe("0 B");
});

it("says of how many copies the bytes are, and of how many nothing is known", () => {
  const some = { count: 5, sizedCount: 4, bytes: GIB, busyNs: 2e9, sizedBusyNs: 1e9 };
  expect(plain(sizeText(some))).toBe("1.00 GiB of 4 copies, size of 1 not recorded");
  expect(plain(sizeText({ ...some, sizedCount: 1 }))).toBe("1.00 GiB of 1 copy, size of 4 not recorded");
});

it("is no zero where no size is known", () => {
  const none = { count: 5, sizedCount: 0, bytes: null, busyNs: 1e9, sizedBusyNs: 0 };
  expect(sizeText(none)).toBe("size not recorded");
  expect(rateText(none)).toBe("");
});

it("rates the bytes over the time of the copies that have some", () => {
  const half = { count: 2, sizedCount: 1, bytes: 1e9, busyNs: 1e9, sizedBusyNs: 5e8 };
  expect(plain(rateText(half))).toBe("2.00 GB/s");
  expect(plain(rateText({ count: 1, bytes: 1e9, busyNs: 1e9 }))).toBe("1.00 GB/s");
});
