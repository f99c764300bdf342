import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";

/** Written by src/dev/recording/verlOverrides.py: Hydra's own verdicts, two releases. */
type Row = readonly [trainer: "ppo" | "sft", override: string, releasesThatAccept: number];

const releases = 2;
const calls = {
  ppo: "python3 -m verl.trainer.main_ppo model_engine=veomni",
  sft: "torchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni",
};
/** What Hydra itself refuses; other errors are about what comes after it. */
const ofHydra = new Set(["not-in-struct", "override-plus-existing", "override-needs-plus", "override-syntax"]);
/** Keys that the engine's tables do not know: Hydra refuses to set or delete them, what adds them is refused later. */
const ofTables = new Set(["unknown-key", "foreign-key", "removed-key", "misplaced-key"]);

const rows: readonly Row[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/config/verlOverrides.json", import.meta.url), "utf8"),
);

function severityOf([trainer, override]: Row, hasTables = true): "error" | "warning" | "none" {
  const tables = hasTables && !override.startsWith("+") ? ofTables : new Set<string>();
  const text = `${calls[trainer]} '${override}'\n`;
  const found = (checkDocument("run.sh", text)?.diagnostics ?? [])
    .filter(({ code }) => ofHydra.has(code) || tables.has(code))
    .map(({ severity }) => severity);
  if (found.includes("error")) return "error";
  return found.includes("warning") ? "warning" : "none";
}

describe("overrides beside Hydra's recorded verdicts", () => {
  it("has enough of both", () => {
    expect(rows.filter(([, , accepting]) => accepting === releases).length).toBeGreaterThan(300);
    expect(rows.filter(([, , accepting]) => accepting === 0).length).toBeGreaterThan(300);
  });

  it("says nothing against what every release accepts", () => {
    const accepted = rows.filter(([, , accepting]) => accepting === releases);
    expect(accepted.filter((row) => severityOf(row) !== "none")).toEqual([]);
  });

  it("speaks against what every release refuses", () => {
    const refused = rows.filter(([, , accepting]) => accepting === 0);
    expect(refused.filter((row) => severityOf(row) === "none")).toEqual([]);
  });

  it("is not certain of what one release accepts, unless the tables know when it was removed", () => {
    const mixed = rows.filter(([, , accepting]) => accepting > 0 && accepting < releases);
    expect(mixed.filter((row) => severityOf(row, false) === "error")).toEqual([]);
  });
});
