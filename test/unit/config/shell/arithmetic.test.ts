import { expect, it } from "vitest";
import { changedBy } from "../../../../src/core/config/shell/arithmetic.js";

it.each([
  ["i++", ["i"]],
  ["--j, k <<= 2", ["k", "j"]],
  ["a = b == c ? d != 1 : e <= 2", ["a"]],
  ["x[i]+=1, y >= z", ["x"]],
  ["i=0; i<3; i++", ["i"]],
  ["1 < 2 && n", []],
])("%s", (expression, names) => {
  expect(changedBy(expression)).toEqual(names);
});

it("is linear in one long name", () => {
  expect(changedBy("a".repeat(400_000))).toEqual([]);
  expect(changedBy("a ".repeat(200_000))).toEqual([]);
});
