// @slow: large inputs or many cases.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { applyFix } from "../checkedText.js";

const words = [
  "python3 -m verl.trainer.main_ppo model_engine=veomni ",
  "actor_rollout_ref.actor.veomni.",
  "activation_offload_modules=",
  "enable_async_activation_offload=",
  "activation_gpu_limit=1",
  "seed=",
  '["model.layers.{*}"]',
  "[a.*,b.{*}.c]",
  "{0,1}",
  "yes",
  "+",
  "++",
  "~",
  "'",
  '"',
  "\\",
  "\\\n",
  "\n",
  " ",
  "$V",
  "${V}",
  "V=",
  "A=(",
  ")",
  "${A[@]}",
  "```bash\n",
  "#",
  "\uD800",
  "- ",
];

describe("hostile scripts", () => {
  it.each([
    ["run.sh", ""],
    ["guide.md", "```bash\npython3 -m verl.trainer.main_ppo model_engine=veomni actor_rollout_ref.actor.veomni."],
    ["o/.hydra/overrides.yaml", "- model_engine=veomni\n- actor_rollout_ref.actor.veomni."],
  ])("never make the rules throw or leave the text: %s", (path, start) => {
    let checked = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        const text = start + parts.join("");
        const diagnostics = checkDocument(path, text)?.diagnostics ?? [];
        checked += diagnostics.length;
        for (const { span, fixes } of diagnostics) {
          expect(span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
          for (const fix of fixes) applyFix(text, fix);
        }
      }),
      { numRuns: 1_000, seed: 20_260_903 },
    );
    expect(checked).toBeGreaterThan(10);
  });
});
