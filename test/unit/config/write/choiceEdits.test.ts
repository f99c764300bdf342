import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { describeProblem } from "../../../../src/core/base/outcome.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { describePoint } from "../../../../src/core/sweep/explain.js";
import { DEFAULT_GRID, patternsOf } from "../../../../src/core/sweep/grid.js";
import type { SweepPoint } from "../../../../src/core/sweep/points.js";
import { point } from "../../sweep/points.js";
import { choiceInText } from "../ofText.js";

const sample = readFileSync(new URL("../../../../media/sample/veomni.yaml", import.meta.url), "utf8");
const blockPath = "actor_rollout_ref.actor.veomni";

function written(text: string, choice: SweepPoint, path = "/c/veomni.yaml", block = blockPath) {
  const edited = choiceInText(path, text, block, choice);
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

test("without offload, what only the offload reads becomes a comment, and nothing but the switch changes beside", () => {
  const { text } = written(sample, point({ microBatch: 2 }));
  const changed = text.split("\n").filter((line) => !sample.split("\n").includes(line));
  expect(changed).toEqual([
    "      enable_async_activation_offload: false",
    "      # activation_offload_modules:",
    "      #   - model.layers.{*}",
    "      # activation_offload_host_cache_limit_gb: 4.0",
  ]);
});

test("keys in braces are removed; what an anchor or an interpolation shares stays valid", () => {
  const block = (inner: string, tail = "") =>
    `actor_rollout_ref:\n  actor:\n    strategy: veomni\n    veomni: ${inner}\n${tail}`;
  const on = "enable_async_activation_offload: true";
  const flow = block(`{${on}, activation_offload_modules: ["model.layers.{*}"], fsdp_size: 8}`);
  expect(written(flow, point({})).text).toBe(block("{enable_async_activation_offload: false, fsdp_size: 8}"));
  const first = block(`{activation_offload_modules: ["model.layers.{*}"], ${on}}`);
  expect(written(first, point({})).text).toBe(block("{enable_async_activation_offload: false}"));
  const key = "\n      activation_offload_modules:";
  const anchored = block(`\n      ${on}${key} &all ["model.layers.{*}"]`, "other: *all\n");
  expect(written(anchored, point({}))).toEqual({
    text: anchored.replace("true", "false"),
    notes: ["Remove activation_offload_modules yourself: with this choice nothing reads it."],
  });
  const tail = "other: ${actor_rollout_ref.actor.veomni.activation_offload_modules}\n";
  const named = block(`\n      ${on}${key} ["model.layers.{*}"]`, tail);
  expect(written(named, point({})).text).toBe(block(`\n      enable_async_activation_offload: false${key} []`, tail));
});

test("synchronous offload is in no point, so it is switched off", () => {
  const text = "train:\n  accelerator:\n    offload_config:\n      enable_activation: true\n";
  const whole = `model:\n  model_path: m\ndata:\n  train_path: d\n${text}`;
  const [settings] = readOffloadSettings("/c/train.yaml", whole);
  expect(written(whole, point({}), "/c/train.yaml", settings?.blockPath ?? "").text).toContain(
    "enable_activation: false",
  );
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
    const edited = choiceInText(path, sample, block, choice);
    return edited.ok ? "" : edited.problem.code;
  };
  test("a strategy of another engine, a script, a block that is not there", () => {
    expect(codeOf("/c/veomni.yaml", blockPath, point({ strategy: "save_on_cpu" }))).toBe("SWEEP_STRATEGY_FOREIGN");
    const flat = readFileSync(new URL("../../../fixtures/config/veomni/flat.good.yaml", import.meta.url), "utf8");
    const async = choiceInText("/c/flat.yaml", flat, "train", half);
    expect(async.ok ? "" : async.problem.code).toBe("SWEEP_NO_ASYNC");
    expect(codeOf("/c/run.sh", blockPath, half)).toBe("SWEEP_SCRIPT");
    expect(codeOf("/c/veomni.yaml", "nowhere.at.all", half)).toBe("SWEEP_NO_BLOCK");
  });
});

describe("every point of the default grid, written, is fine with the check", () => {
  const fixtures = new URL("../../../fixtures/config/", import.meta.url);
  const layers = { list: "model.layers", count: 36 };
  const points = [true, false].flatMap((gradientCheckpointing) => [
    point({ gradientCheckpointing }),
    ...DEFAULT_GRID.patternSets.flatMap((patternSet) =>
      DEFAULT_GRID.cacheLimitsGb.map((cacheLimitGb) =>
        point({
          strategy: "veomni_async",
          gradientCheckpointing,
          patternSet,
          patterns: patternsOf(patternSet, layers),
          cacheLimitGb,
        }),
      ),
    ),
  ]);
  const files = [
    ["veomni.yaml", sample],
    ...[
      "composed.good.yaml",
      "engine.good.yaml",
      "sft.good.yaml",
      "actor/veomni_actor.yaml",
      "_generated_ppo_veomni_trainer.yaml",
      "veomni/train-scoped.good.yaml",
      "veomni/train-scoped+async.good.yaml",
      "veomni/model-scoped.good.yaml",
      "veomni/model-scoped+template.good.yaml",
      "veomni/dpo.good.yaml",
    ].map((name) => [name, readFileSync(new URL(name, fixtures), "utf8")]),
  ] as [string, string][];
  // A reference model only runs forward: nothing there is a choice.
  const blocks = files.flatMap(([name, text]) =>
    readOffloadSettings(name, text)
      .filter(({ blockPath: at }) => !at.includes(".ref."))
      .map(({ blockPath: at }) => [name, at, text] as const),
  );
  /** What the points themselves are about is said as information: little moves without checkpointing, a large cache hoards. */
  const ABOUT_THE_POINT = ["async-without-gc", "cache-hoards"];
  const found = (name: string, text: string) =>
    (checkDocument(name, text)?.diagnostics ?? [])
      .map(({ code }) => code)
      .filter((code) => !ABOUT_THE_POINT.includes(code));

  test.each(blocks)("%s, block %s", (name, at, text) => {
    const before = found(name, text);
    for (const each of points) {
      const edited = choiceInText(name, text, at, each);
      if (!edited.ok) throw new Error(describeProblem(edited.problem));
      const { edit } = edited.value;
      const after = text.slice(0, edit.span.start) + edit.newText + text.slice(edit.span.end);
      expect([describePoint(each), found(name, after).filter((code) => !before.includes(code))]).toEqual([
        describePoint(each),
        [],
      ]);
    }
  });
});
