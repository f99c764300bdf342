// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the words under test write ${…} themselves
import { expect, it } from "vitest";
import { readWord } from "../../../../src/core/config/shell/readWord.js";
import { isUnfollowed } from "../../../../src/core/config/shell/unfollowed.js";

it.each([
  ["{a,${U:-{a,b}}", true],
  ["$${a,b}", true],
  ["a$B$", true],
  ["~:x", true],
  ["k=~a=~/x", true],
  ["{a,$U}", false],
  ["${U:-{a,b}}", false],
  ['a"$B"$', false],
  ["a$", false],
  ["~/x:y", false],
  ["k=~/a=b", false],
])("%s: %s", (text, expected) => {
  expect(isUnfollowed(readWord(text, 0))).toBe(expected);
});
