// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { ruleGroups } from "../../../src/core/config/allRules.js";
import { examplePath } from "../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../src/core/config/check.js";
import { seedsByDialect } from "./mutatedFiles.js";

/** Longer than any message that a person reads; a word of a file may be as long as the file. */
const mostShown = 1_500;
const long = 6_000;

const growths: readonly ((word: string) => string)[] = [
  (word) => `${word}${"x".repeat(long)}`,
  (word) => `${word}${".x1".repeat(long / 3)}`,
  (word) => `${word}${"{*}".repeat(long / 3)}`,
];

/** Each text with one of its words grown, each word in its turn in one of the ways; of long texts some of the words. */
function* grownTexts(text: string, most: number): Iterable<string> {
  const words = [...text.matchAll(/[\w.{}*-]+/g)];
  const step = Math.max(1, Math.ceil(words.length / most));
  for (let i = 0; i < words.length; i += step) {
    const { 0: word, index } = words[i] ?? { 0: "", index: 0 };
    const grow = growths[i % growths.length] ?? String;
    yield text.slice(0, index) + grow(word) + text.slice(index + word.length);
  }
}

/** What is said at more length than anyone reads, by rule and first words. */
function tooLong(path: string, text: string): readonly string[] {
  const diagnostics = checkDocument(path, text)?.diagnostics ?? [];
  return diagnostics.flatMap(({ code, message, fixes }) =>
    [message, ...fixes.map(({ title }) => title)]
      .filter((said) => said.length > mostShown)
      .map((said) => `${code}: ${said.slice(0, 60)} (${said.length})`),
  );
}

const examples = ruleGroups.flatMap(({ rules }) => rules.map(({ code, example }) => [code, example] as const));
const seeds = Object.values(seedsByDialect)
  .flat()
  .map(({ path, text }) => [path, text] as const);

describe("a word as long as a file", () => {
  it.each(examples)("is cut in what is said about the example of %s", (_, { path = examplePath, text }) => {
    for (const grown of grownTexts(text, 12)) expect(tooLong(path, grown)).toEqual([]);
  });

  it.each(seeds)("is cut in what is said about %s", (path, text) => {
    for (const grown of grownTexts(text, 40)) expect(tooLong(path, grown)).toEqual([]);
  });
});
