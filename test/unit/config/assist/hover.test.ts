import { describe, expect, it } from "vitest";
import { type HoverKnowledge, hoverAt } from "../../../../src/core/config/assist/hover.js";
import { atCursor } from "./cursor.js";
import { tinyModel } from "./models.js";

const verl: HoverKnowledge = {
  outline: { dialect: "verl", form: "engine", engines: [""], optimizers: [] },
  tree: tinyModel(),
};
const training: HoverKnowledge = { outline: { dialect: "model-scoped", origin: "keys", trainers: [] } };

function hover(marked: string, knowledge = verl): string {
  const { text, offset } = atCursor(marked);
  return hoverAt(text, offset, knowledge)?.markdown ?? "";
}

describe("hoverAt", () => {
  it("tells type, default, bounds, history, reader, pitfall and source of a key", () => {
    const told = hover("activation_offload_host_‸cache_limit_gb: 4.0");
    expect(told).toContain("**activation\\_offload\\_host\\_cache\\_limit\\_gb** · float");
    expect(told).toContain("- default: `4`");
    expect(told).toContain("- bounds: ≥ 0, ≤ 8589934591; otherwise the engine config raises ValueError");
    expect(told).toContain("- since: verl #7724");
    expect(told).toContain("- read by: engine");
    expect(told).toContain("**Pitfall:** Bounds only the idle cache");
    expect(told).toContain("*As in verl 0.10.0.dev of 2026-08-22 with #7724.*");
  });

  it("spans the key, not the line", () => {
    const { text, offset } = atCursor("  forward‸_only: true");
    const found = hoverAt(text, offset, { outline: { ...verl.outline } });
    expect(found && text.slice(found.span.start, found.span.end)).toBe("forward_only");
  });

  it("tells bytes and the power-of-two rounding of a cache limit", () => {
    const told = hover("activation_offload_host_cache_limit_gb: 0‸.25");
    expect(told).toContain("268,435,456 bytes");
    expect(told).toContain("139,264,000 bytes takes a block of 268,435,456 bytes");
    expect(told).toContain("so 1 of them fits");
  });

  it("tells allowed values and doubts others", () => {
    expect(hover("attn_implementation: ea‸ger")).toContain("`flash_attention_3`");
    expect(hover("attn_implementation: ea‸gerly")).toContain("Not one of the known values");
    expect(hover("forward_only: fa‸lse")).toContain("This is the default.");
  });

  it("tells what became of removed and foreign keys", () => {
    expect(hover("activation_gpu_‸limit: 1")).toContain("- removed: ");
    expect(hover("enable_async_‸activation: true")).toContain("write instead: `enable_async_activation_offload`");
  });

  it("tells where a key of another layout stands in this one", () => {
    const told = hover("train:\n  accelerator:\n    offload_con‸fig:\n      enable_activation: true", training);
    expect(told).toContain("here it stands at `model.accelerator.offload_config`");
  });

  it("counts what a pattern selects, with first and last and who stays", () => {
    const told = hover("activation_offload_modules:\n  - model.la‸yers.{*}");
    expect(told).toContain("Adds 4 modules: `model.layers.0` to `model.layers.3`, offload indices 0 to 3");
    expect(told).toContain("`model.layers.3` has the last index and stays on the device");
    expect(told).toContain("*On TinyForCausalLM (tree-file).*");
  });

  it("explains a pattern that selects nothing, and one inside a layer", () => {
    expect(hover("activation_offload_modules: [model.layer‸.*]")).toContain("Adds nothing");
    expect(hover("activation_offload_modules: [model.layers.*.m‸lp]")).toContain("memory use rises");
  });

  it("counts a pattern within its list", () => {
    const { text, offset } = atCursor("activation_offload_modules: [model.layers.0, model.lay‸ers.*]");
    const entries = [
      { span: { start: 29, end: 43 }, text: "model.layers.0" },
      { span: { start: 45, end: 59 }, text: "model.layers.*" },
    ];
    expect(hoverAt(text, offset, { ...verl, patterns: entries })?.markdown).toContain("Adds 3 modules");
  });

  it("says so when no model is known", () => {
    expect(hover("activation_offload_modules: [mo‸del.layers.*]", { outline: verl.outline })).toContain(
      "No model is known here",
    );
  });

  it("says nothing about other keys, comments and blanks", () => {
    expect(hover("unheard‸_of: 1")).toBe("");
    expect(hover("forward_only: true # com‸ment")).toBe("");
    expect(hover("forward_only: true\n‸\nseed: 1")).toBe("");
  });

  it("does not let text of the file become Markdown", () => {
    expect(hover("attn_implementation: `[x](command:y)‸`")).toContain("`` `[x](command:y)` ``");
  });
});
