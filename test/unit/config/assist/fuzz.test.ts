import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { complete } from "../../../../src/core/config/assist/complete.js";
import { hoverAt } from "../../../../src/core/config/assist/hover.js";
import type { ConfigOutline } from "../../../../src/core/config/assist/outline.js";
import { renameEdit } from "../../../../src/core/config/assist/renamePattern.js";
import { occurrencesIn, readingOfText } from "../ofText.js";
import { seededRandom } from "./cursor.js";
import { tinyModel } from "./models.js";

const fixtures = join(import.meta.dirname, "../../../fixtures/config");
const seeds = ["composed.good.yaml", "engine.good.yaml", "sft.good.yaml", "many.bad.yaml"].map((name) =>
  readFileSync(join(fixtures, name), "utf8"),
);
const fragments = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "- ",
  ": ",
  "\n",
  "\n  ",
  "&a ",
  "*a",
  "|\n",
  "#",
  "${",
  "\t",
  "\0",
  "\r",
  "<<: *a\n",
  "---\n",
  "😀",
  ",",
];
const outlines: readonly ConfigOutline[] = [
  { dialect: "verl", form: "engine", engines: [""], optimizers: [] },
  { dialect: "model-scoped", origin: "keys", trainers: [] },
];
const rounds = 300;
const offsetsPerText = 6;

/** Cuts, doubles and inserts at random places. */
function mutate(text: string, random: () => number): string {
  let result = text;
  for (let change = 0; change < 1 + random() * 4; change++) {
    const at = Math.floor(random() * (result.length + 1));
    const length = Math.floor(random() * 40);
    const choice = random();
    if (choice < 0.3) result = result.slice(0, at) + result.slice(at + length);
    else if (choice < 0.4) result = result.slice(0, at) + result.slice(at, at + length) + result.slice(at);
    else result = result.slice(0, at) + (fragments[Math.floor(random() * fragments.length)] ?? "") + result.slice(at);
  }
  return result;
}

describe("the editor's help on broken texts", () => {
  it("never throws, and stays inside the text", () => {
    const random = seededRandom(20_261_130);
    const tree = tinyModel();
    const bad: string[] = [];
    let suggested = 0;
    for (let round = 0; round < rounds; round++) {
      const text = mutate(seeds[round % seeds.length] ?? "", random);
      const reading = readingOfText("verl/trainer/config/engine/veomni.yaml", text, { A: "b" });
      for (const { target, span } of reading?.links ?? []) {
        if (span.end > text.length || target.end > text.length) bad.push(`link in ${text}`);
      }
      for (const occurrence of occurrencesIn("x.yaml", text)) renameEdit(occurrence, text, "a.{*}");
      for (let probe = 0; probe < offsetsPerText; probe++) {
        const offset = Math.floor(random() * (text.length + 1));
        for (const outline of outlines) {
          for (const { span, label } of complete(text, offset, outline, tree)) {
            suggested++;
            const covers = span.start <= offset && offset <= span.end;
            if (!covers || text.slice(span.start, span.end).includes("\n"))
              bad.push(`${label} at ${offset} in ${text}`);
          }
          const hover = hoverAt(text, offset, { outline, tree });
          if (hover !== undefined && hover.span.end > text.length) bad.push(`hover at ${offset} in ${text}`);
        }
      }
    }
    expect(bad).toEqual([]);
    expect(suggested).toBeGreaterThan(1_000);
  });
});
