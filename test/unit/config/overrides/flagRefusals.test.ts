import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";

const offload = "--train.accelerator.offload_config";
const call = "torchrun tasks/train_text.py config.yaml";

function found(flag: string): readonly string[] {
  const text = `${call} ${offload}.enable_async_activation ${flag}\n`;
  const diagnostics = checkDocument("train.sh", text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

describe("what the argument parser refuses", () => {
  it.each([
    ["--train.dyn_bsz perhaps", "error wrong-type|perhaps"],
    ["--train.max_steps many", "error wrong-type|many"],
    ["--train.max_steps 1.5", "error wrong-type|1.5"],
    ["--train.max_steps 1e3", "error wrong-type|1e3"],
    ["--train.max_steps", "error wrong-type|max_steps"],
    ["--train.max_steps 1 2", "error wrong-type|1 2"],
    ["--train.optimizer.lr fast", "error wrong-type|fast"],
    ["--train.optimizer.type adam", "error unknown-value|adam"],
    ["--train.optimizer.muon_gram_ns_reset_iterations 2 x", "error wrong-type|x"],
    [
      `${offload}.activation_offload_modules`,
      "error wrong-type|train.accelerator.offload_config.activation_offload_modules",
    ],
  ])("%s", (flag, expected) => {
    expect(found(flag)).toEqual([expected]);
  });

  it.each([
    "--train.dyn_bsz",
    "--train.dyn_bsz F",
    "--train.max_steps 1_000",
    "--train.max_steps -1",
    "--train.optimizer.lr 1e-5",
    "--train.optimizer.lr .5",
    "--train.optimizer.type muon",
    "--train.optimizer.muon_gram_ns_reset_iterations 2 4",
    "--train.max_steps $STEPS",
    "--train.wandb.name 7",
    "--data.chat_template my_own",
  ])("but not %s", (flag) => {
    expect(found(flag).filter((line) => line.startsWith("error"))).toEqual([]);
  });
});
