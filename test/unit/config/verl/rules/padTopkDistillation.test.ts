import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

const code = "pad-topk-distillation";

function file(actor: string, distillation: string): string {
  return `distillation: ${distillation}\nactor_rollout_ref:\n  actor:\n${actor}`;
}

const topK = "{enabled: true, distillation_loss: {loss_mode: forward_kl_topk, topk: 32}}";

describe(code, () => {
  it.each([
    [file("    pad_to_length: true\n    veomni: {seed: 1}\n", topK), "pad_to_length: true"],
    [file("    veomni:\n      pad_to_length: true\n", topK), "pad_to_length: true"],
  ])("finds %j", (text, place) => {
    expect(summaryOf(code, text)).toEqual([`error ${code}|${place}`]);
    const right = fixed("Set pad_to_length to false", text);
    expect(right).toBe(text.replace("pad_to_length: true", "pad_to_length: false"));
    expect(summaryOf(code, right)).toEqual([]);
  });

  it("finds it among overrides", () => {
    const words = [
      "distillation.enabled=True",
      "distillation.distillation_loss.loss_mode=forward_kl_topk",
      "actor_rollout_ref.actor.pad_to_length=True",
      "actor_rollout_ref.actor.veomni.seed=1",
    ];
    const text = `python3 -m verl.trainer.main_ppo model_engine=veomni ${words.join(" ")}\n`;
    expect(summaryOf(code, text, "run.sh")).toHaveLength(1);
    expect(fixed("Set pad_to_length to false", text, "run.sh")).toContain("actor.pad_to_length=false");
  });

  it.each([
    file(
      "    pad_to_length: true\n    veomni: {seed: 1}\n",
      "{enabled: false, distillation_loss: {loss_mode: forward_kl_topk}}",
    ),
    file("    pad_to_length: true\n    veomni: {seed: 1}\n", "{enabled: true, distillation_loss: {loss_mode: k1}}"),
    file("    pad_to_length: false\n    veomni: {seed: 1}\n", topK),
    file("    pad_to_length: ${oc.env:PAD}\n    veomni: {seed: 1}\n", topK),
  ])("is content with %j", (text) => {
    expect(summaryOf(code, text)).toEqual([]);
  });
});
