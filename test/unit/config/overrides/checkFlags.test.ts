import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { applyEdits } from "../../../../src/core/config/rules/catalogue.js";

const offload = "--train.accelerator.offload_config";

/** A call of a VeOmni task with these flags, one on a line. */
function script(...flags: readonly string[]): string {
  return ["torchrun tasks/train_text.py config.yaml", ...flags.map((flag) => `  ${flag}`)].join(" \\\n").concat("\n");
}

function found(text: string): readonly string[] {
  const diagnostics = checkDocument("train.sh", text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

function fixed(title: string, text: string): string {
  const fixes = checkDocument("train.sh", text)?.diagnostics.flatMap((diagnostic) => diagnostic.fixes) ?? [];
  const fix = fixes.find((each) => each.title === title);
  if (fix === undefined) throw new Error(`no fix "${title}" among: ${fixes.map((each) => each.title).join("; ")}`);
  return applyEdits(text, fix);
}

describe("checkFlags", () => {
  it("speaks the layout of the flags", () => {
    expect(checkDocument("train.sh", script(`${offload}.enable_async_activation true`))?.dialect).toBe(
      "train-scoped+async",
    );
    expect(checkDocument("train.sh", script("--model.accelerator.ulysses_size 2"))?.dialect).toContain("model-scoped");
  });

  it("takes every unknown flag for an error, as the argument parser does", () => {
    const text = script(
      `${offload}.enable_async_activation yes`,
      "--train.accelerator.ulysses_siz 2",
      "--train.bogus 1",
    );
    expect(found(text)).toEqual(["error unknown-key|ulysses_siz", "error unknown-key|bogus"]);
    expect(fixed("Rename to ulysses_size", text)).toContain("--train.accelerator.ulysses_size 2");
  });

  it("writes a moved key anew", () => {
    const text = script("--train.accelerator.dp_shard_size 2", "--train.ulysses_parallel_size 2");
    expect(found(text)).toEqual(["error moved-key|ulysses_parallel_size"]);
    const result = fixed("Write --train.accelerator.ulysses_size", text);
    expect(result).toBe(script("--train.accelerator.dp_shard_size 2", "--train.accelerator.ulysses_size 2"));
    expect(found(result)).toEqual([]);
  });

  it("judges values by the table", () => {
    const text = script(
      `${offload}.activation_offload_host_cache_limit_gb -1`,
      `${offload}.enable_async_activation maybe`,
    );
    expect(found(text)).toEqual(["error out-of-range|-1", "warning wrong-type|maybe"]);
  });

  it.each([
    [`${offload}.enable_async_activation`],
    [`${offload}.enable_async_activation yes`, `${offload}.activation_offload_modules 'model.layers.{*}' model.norm`],
    ["--train.optimizer.lr 1e-5", "--model.model_path 3"],
    [`${offload}.activation_offload_modules model.layers.*`],
  ])("is content with %j", (...flags) => {
    expect(found(script(...flags))).toEqual([]);
  });
});
