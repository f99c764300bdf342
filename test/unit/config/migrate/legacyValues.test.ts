import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { anyPath, loaded, migrated } from "./migratedText.js";

function flat(...lines: readonly string[]): string {
  const train = ["train:", "  max_steps: 5", ...lines.map((line) => `  ${line}`)];
  return ["# offload-lens: layout=flat", "model: {model_path: m}", "data: {train_path: d}", ...train, ""].join("\n");
}

describe("values that went with the flat layout", () => {
  it("writes the old default mode out where another device relies on it", () => {
    const { text, changed } = migrated(flat("init_device: cuda"), "train-scoped");
    expect(loaded(text)).toMatchObject({
      train: { init_device: "cuda", accelerator: { fsdp_config: { fsdp_mode: "ddp" } } },
    });
    expect(text).toContain("      # ddp was the default of the flat layout.\n      fsdp_mode: ddp\n");
    expect(changed).toEqual([
      { key: "train.data_parallel_mode", was: "", now: "ddp", why: "ddp was the default of the flat layout." },
    ]);
    expect(checkDocument(anyPath, text)?.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("keeps the notation around an adapted value", () => {
    const { text } = migrated(flat("data_parallel_mode: 'fsdp1'  # all", "init_device: meta"), "model-scoped");
    expect(text).toContain("      # Was fsdp1: fsdp1 went with VeOmni #756.\n      fsdp_mode: 'fsdp2'  # all\n");
    expect(loaded(text)).toMatchObject({ model: { accelerator: { init_device: "meta" } } });
  });

  it.each([
    [["data_parallel_mode: ddp", "init_device: cuda"]],
    [["init_device: meta"]],
    [["data_parallel_mode: fsdp2"]],
    [[]],
  ])("changes no value of %j", (lines) => {
    expect(migrated(flat(...lines), "model-scoped+template").changed).toEqual([]);
  });

  it("leaves the values of other layouts to the check", () => {
    const text = flat()
      .replace("=flat", "=train-scoped")
      .replace("max_steps: 5", "accelerator: {fsdp_config: {fsdp_mode: fsdp1}}");
    const { text: converted, changed } = migrated(text, "model-scoped");
    expect(changed).toEqual([]);
    expect(converted).toContain("{fsdp_config: {fsdp_mode: fsdp1}}");
  });
});
