// @slow: large inputs or many cases.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrationTargets } from "../../../src/core/config/migrate/migration.js";
import { cases, isDeep } from "../deep.js";
import { seededRandom } from "./assist/cursor.js";
import { exercise, fragments, mutate, seedsByDialect } from "./mutatedFiles.js";

/*
 * Damaged files with a fixed seed: 2,000 every day, 20,000 in `npm run test:deep`. More on demand: OFFLOAD_LENS_FUZZ_RUNS=100000 runs as many anew, with a new seed,
 * and shrinks what fails.
 */

const filesPerDialect: Readonly<Record<string, number>> = {
  verl: cases(600, 6_000),
  training: cases(800, 8_000),
  scripts: cases(600, 6_000),
};
const longestMs = 300_000;
const runsOnDemand = Number(process.env.OFFLOAD_LENS_FUZZ_RUNS ?? 0);

function pick<T>(from: readonly T[], at: number): T {
  const found = from[at % from.length];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}

describe("damaged files", () => {
  it("are as many as the comment above says", () => {
    expect(Object.values(filesPerDialect).reduce((sum, files) => sum + files)).toBe(isDeep ? 20_000 : 2_000);
  });

  it.each(Object.entries(seedsByDialect))(
    "%s: no help throws, leaves the text or offers an edit that cannot be applied",
    (dialect, seeds) => {
      const random = seededRandom(20_261_130);
      const bad: string[] = [];
      for (let round = 0; round < (filesPerDialect[dialect] ?? 0); round++) {
        const { path, text } = pick(seeds, round);
        const damaged = mutate(text, pick(seeds, round + 1).text, random);
        const offset = Math.floor(random() * (damaged.length + 1));
        const problems = exercise(path, damaged, offset, pick(migrationTargets, round));
        if (problems.length > 0) bad.push(`${problems[0]} (${path}, ${JSON.stringify(damaged)})`);
      }
      expect(bad.slice(0, 3)).toEqual([]);
    },
    longestMs,
  );

  // Not registered at all without the variable: a skipped test would stand in every report.
  if (runsOnDemand > 0) it("of any shape, as many as asked for", checkAnyShape, 24 * 60 * 60 * 1000);
});

function checkAnyShape(): void {
  const seeds = Object.values(seedsByDialect).flat();
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 60 }),
    put: fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: "binary", maxLength: 30 })),
  });
  const file = fc.record({
    seed: fc.constantFrom(...seeds),
    changes: fc.array(change, { maxLength: 8 }),
    offset: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.constantFrom(...migrationTargets),
  });
  fc.assert(
    fc.property(file, ({ seed, changes, offset, to }) => {
      const text = changes.reduce((before, { at, cut, put }) => {
        const place = Math.floor(at * before.length);
        return before.slice(0, place) + put + before.slice(place + cut);
      }, seed.text);
      expect(exercise(seed.path, text, Math.floor(offset * text.length), to)).toEqual([]);
    }),
    { numRuns: runsOnDemand },
  );
}
