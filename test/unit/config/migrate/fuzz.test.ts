// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { migrateDocument } from "../../../../src/core/config/migrate/migrateDocument.js";
import { migrationTargets } from "../../../../src/core/config/migrate/migration.js";
import { anyPath, fixture, migrated } from "./migratedText.js";

/** Deterministic numbers below `bound` (xorshift, 32 bits). */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

const inserts = [
  "\n",
  "\t",
  "#",
  ": ",
  "{",
  "}",
  "[",
  "- ",
  "&a ",
  "*a",
  "<<: *a\n",
  "'",
  "|\n",
  "\r",
  "\uFEFF",
  "  ",
  "?",
  "\0",
  "lr: 1\n",
];
const names = [
  "flat",
  "flat-fsdp1",
  "train-scoped",
  "train-scoped+async",
  "model-scoped",
  "model-scoped+template",
  "verl",
];

describe("migrateDocument on damaged files", () => {
  it("never throws, and what it converts is converted for good", () => {
    const next = numbers(20261130);
    const outcomes = { converted: 0, refused: 0 };
    for (let round = 0; round < 2_000; round++) {
      let text = fixture(`${names[next(names.length)]}.yaml`);
      for (let change = next(4); change >= 0; change--) {
        const at = next(text.length + 1);
        const cut = next(3) === 0 ? next(20) : 0;
        text = text.slice(0, at) + (inserts[next(inserts.length)] ?? "") + text.slice(at + cut);
      }
      const to = migrationTargets[next(migrationTargets.length)] ?? "flat";
      const outcome = migrateDocument(anyPath, text, to);
      if (!outcome.ok) {
        outcomes.refused++;
        continue;
      }
      outcomes.converted++;
      expect(migrated(outcome.value.text, to).edits).toEqual([]);
    }
    expect(Math.min(outcomes.converted, outcomes.refused)).toBeGreaterThan(150);
  }, 120_000);
});
