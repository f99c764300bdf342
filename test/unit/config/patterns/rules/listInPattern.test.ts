import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { applyFix, engine, fixed, summaryOf } from "../../checkedText.js";

const code = "pattern-list-in-text";

function list(value: string): string {
  return engine("enable_async_activation_offload: true", `activation_offload_modules: ${value}`);
}

describe(code, () => {
  it.each([
    ['["[model.layers.*]"]', '"[model.layers.*]"', "Write model.layers.*", '["model.layers.*"]'],
    [
      "['[model.layers.*, lm_head]', x.y]",
      "'[model.layers.*, lm_head]'",
      "Write model.layers.*, lm_head",
      '["model.layers.*", "lm_head", x.y]',
    ],
    [
      '["model.layers.*,lm_head"]',
      '"model.layers.*,lm_head"',
      "Write model.layers.*, lm_head",
      '["model.layers.*", "lm_head"]',
    ],
    ['["[model.layers.[0-3]]"]', '"[model.layers.[0-3]]"', "Write model.layers.[0-3]", '["model.layers.[0-3]"]'],
  ])("finds %s", (written, place, title, right) => {
    expect(summaryOf(code, list(written))).toEqual([`warning ${code}|${place}`]);
    expect(fixed(title, list(written))).toBe(list(right));
    expect(summaryOf(code, list(right))).toEqual([]);
  });

  it("says each thing once", () => {
    for (const written of ['["[a.b, c]"]', '["a.*,b"]', '["a.*, b"]', '["[a.{*}]"]']) {
      const found = checkDocument("x.yaml", list(written))?.diagnostics.filter(({ code: each }) =>
        each.startsWith("pattern-"),
      );
      expect([written, found?.length]).toEqual([written, 1]);
    }
  });

  it("finds it in VeOmni's own YAML and in overrides", () => {
    const training = (value: string) =>
      `model:\n  model_path: m\n  accelerator:\n    offload_config:\n      enable_async_activation: true\n      activation_offload_modules: ${value}\ndata: {train_path: d}\ntrain: {max_steps: 1}\n`;
    const found = checkDocument("x.yaml", training('["[model.layers.*]"]'))?.diagnostics.find(
      (each) => each.code === code,
    );
    expect(found?.fixes.map((fix) => applyFix(training('["[model.layers.*]"]'), fix))).toEqual([
      training('["model.layers.*"]'),
    ]);
    const script = `python3 -m verl.trainer.main_ppo model_engine=veomni 'actor_rollout_ref.actor.veomni.activation_offload_modules=["[model.layers.*]"]' actor_rollout_ref.actor.veomni.enable_async_activation_offload=true\n`;
    expect(checkDocument("run.sh", script)?.diagnostics.map((each) => each.code)).toContain(code);
  });

  it.each(['["model.layers.[0,1]"]', '["[mv]odel.layers.*"]', '["[ab]"]', '["model.layers.{*}"]', "[]"])(
    "is content with %s",
    (written) => {
      expect(summaryOf(code, list(written))).toEqual([]);
    },
  );
});
