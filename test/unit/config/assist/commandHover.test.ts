import { describe, expect, it } from "vitest";
import { commandHoverAt } from "../../../../src/core/config/assist/commandHover.js";
import { readCommands } from "../../../../src/core/config/overrides/calls.js";
import { atCursor } from "./cursor.js";

function hover(path: string, marked: string): string {
  const { text, offset } = atCursor(marked);
  const commands = readCommands(path, text);
  return (commands && commandHoverAt(commands, offset))?.markdown ?? "";
}

describe("commandHoverAt", () => {
  const call = "python3 -m verl.trainer.main_ppo model_engine=veomni ";

  it("explains keys of the engine block, however they are quoted", () => {
    expect(hover("run.sh", `${call} '+actor_rollout_ref.actor.veomni.forward_‸only=true'`)).toContain("forward\\_only");
    expect(hover("run.sh", `${call} actor_rollout_ref.model.enable_‸activation_offload=true`)).toContain(
      "The VeOmni engine rejects it",
    );
  });

  it("tells what became of removed keys", () => {
    expect(hover("run.sh", `${call} critic.veomni.activation_gpu_‸limit=1`)).toContain("- removed: ");
  });

  it("explains VeOmni's flags in the newest layout that has them", () => {
    const flag = "--model.accelerator.offload_config.enable_async_acti‸vation true";
    expect(hover("run.sh", `torchrun tasks/train_text.py configs/a.yaml ${flag}`)).toContain("Stream-based activation");
  });

  it("says nothing about values, other keys and other files", () => {
    expect(hover("run.sh", `${call} critic.veomni.seed=1‸2`)).toBe("");
    expect(hover("run.sh", `${call} data.train_‸files=x`)).toBe("");
    expect(hover("run.py", `${call} critic.veomni.se‸ed=12`)).toBe("");
  });
});
