import { expect, test } from "vitest";
import { migrateDocument } from "../../../src/core/config/migrate/migrateDocument.js";
import { readConfig } from "../../../src/core/config/readConfig.js";
import { isDeep } from "../deep.js";

const MANY = 200_000;

test("a file with more blank lines than a call takes arguments is migrated", () => {
  const text = `model:\n  model_path: m\ndata:\n  train_path: d\ntrain:\n${"\n".repeat(MANY)}  lr: 1.0e-5\n`;
  const migrated = migrateDocument("a.yaml", text, "train-scoped");
  expect(migrated.ok && migrated.value.text.includes("lr: 1.0e-5")).toBe(true);
});

// Reading them takes seconds, so this is for the deep runs.
test.runIf(isDeep).each([
  [
    "words of an excerpt's line",
    "a.md",
    `\`\`\`\nactor_rollout_ref.actor.veomni.seed=1 ${"b ".repeat(MANY)}\n\`\`\`\n`,
  ],
  [
    "commands of a pipeline",
    "a.sh",
    `${"a | ".repeat(MANY)}python -m verl.trainer.main_ppo actor_rollout_ref.actor.veomni.seed=1\n`,
  ],
])("%s may be as many", (_what, path, text) => {
  expect(() => readConfig(path, text)).not.toThrow();
});
