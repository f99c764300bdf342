import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readOffloadSettings } from "../../../src/core/config/offloadSettings.js";
import { describeProblem } from "../../../src/core/outcome.js";
import { choiceEdit } from "../../../src/core/sweep/choiceEdits.js";
import type { SweepPoint } from "../../../src/core/sweep/points.js";
import { point } from "./points.js";

const sample = readFileSync(new URL("../../../media/sample/veomni.yaml", import.meta.url), "utf8");
const blockPath = "actor_rollout_ref.actor.veomni";

function written(text: string, choice: SweepPoint, path = "/c/veomni.yaml", block = blockPath) {
  const edited = choiceEdit(path, text, block, choice);
  if (!edited.ok) throw new Error(describeProblem(edited.problem));
  const { edit, notes } = edited.value;
  return { text: text.slice(0, edit.span.start) + edit.newText + text.slice(edit.span.end), notes };
}

const half = point({
  strategy: "veomni_async",
  patternSet: "half",
  patterns: ["model.layers.[0-1]"],
  cacheLimitGb: 0.25,
  microBatch: 2,
});

test("the sample says what a point is: patterns and limit change, the rest of the text stays", () => {
  const result = written(sample, half);
  expect(readOffloadSettings("/c/veomni.yaml", result.text)[0]).toMatchObject({
    blockPath,
    enabled: true,
    patterns: ["model.layers.[0-1]"],
    cacheLimitGb: 0.25,
    gradientCheckpointing: true,
  });
  const changed = sample.split("\n").filter((line) => !result.text.split("\n").includes(line));
  expect(changed.map((line) => line.trim())).toEqual([
    "- model.layers.{*}",
    "activation_offload_host_cache_limit_gb: 4.0",
  ]);
  expect(result.notes).toEqual([]);
});

test("without offload and checkpointing two switches change; a micro-batch is only noted", () => {
  const { text, notes } = written(sample, point({ gradientCheckpointing: false, microBatch: 1 }));
  expect(readOffloadSettings("/c/veomni.yaml", text)[0]).toMatchObject({
    enabled: false,
    gradientCheckpointing: false,
  });
  expect(notes).toEqual(["The choice has a micro-batch of 1; set that where your trainer takes it."]);
});

test("absent keys are added to the block", () => {
  const bare = sample
    .split("\n")
    .filter((line) => !/activation_offload_modules|- model\.layers|host_cache_limit/.test(line))
    .join("\n");
  expect(readOffloadSettings("/c/veomni.yaml", written(bare, half).text)[0]).toMatchObject({
    patterns: ["model.layers.[0-1]"],
    cacheLimitGb: 0.25,
  });
});

test("what the text says already is not touched", () => {
  const same = point({ strategy: "veomni_async", patterns: ["model.layers.{*}"], cacheLimitGb: 4, microBatch: 2 });
  expect(written(sample, same).text).toBe(sample);
});

describe("refused", () => {
  const codeOf = (path: string, block: string, choice: SweepPoint): string => {
    const edited = choiceEdit(path, sample, block, choice);
    return edited.ok ? "" : edited.problem.code;
  };
  test("a strategy of another engine, a script, a block that is not there", () => {
    expect(codeOf("/c/veomni.yaml", blockPath, point({ strategy: "save_on_cpu" }))).toBe("SWEEP_STRATEGY_FOREIGN");
    expect(codeOf("/c/run.sh", blockPath, half)).toBe("SWEEP_SCRIPT");
    expect(codeOf("/c/veomni.yaml", "nowhere.at.all", half)).toBe("SWEEP_NO_BLOCK");
  });
});
