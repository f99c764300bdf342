import { describe, expect, it } from "vitest";
import { complete } from "../../../../src/core/config/assist/complete.js";
import type { ConfigOutline } from "../../../../src/core/config/assist/outline.js";
import type { Suggestion } from "../../../../src/core/config/assist/suggestion.js";
import { outlineOfText } from "../ofText.js";
import { atCursor } from "./cursor.js";
import { tinyModel } from "./models.js";

const composed: ConfigOutline = {
  dialect: "verl",
  form: "composed",
  engines: ["actor_rollout_ref.actor.veomni"],
  optimizers: ["actor_rollout_ref.actor.optim"],
};
const modelScoped: ConfigOutline = { dialect: "model-scoped", origin: "keys", trainers: [] };
const block = "actor_rollout_ref:\n  actor:\n    veomni:\n";

function completeAt(marked: string, outline: ConfigOutline = composed, tree = tinyModel()): readonly Suggestion[] {
  const { text, offset } = atCursor(marked);
  return complete(text, offset, outline, tree);
}

function labels(suggestions: readonly Suggestion[]): string[] {
  return suggestions.map((suggestion) => suggestion.label);
}

/** The text after a suggestion is taken, tab stops as they are. */
function taken(marked: string, label: string, outline?: ConfigOutline): string {
  const { text } = atCursor(marked);
  const suggestion = completeAt(marked, outline).find((each) => each.label === label);
  if (suggestion === undefined) throw new Error(`no suggestion ${label}`);
  return text.slice(0, suggestion.span.start) + suggestion.insertText + text.slice(suggestion.span.end);
}

describe("complete, keys", () => {
  it("offers the keys of the block that are not written yet, above and below", () => {
    const offered = labels(completeAt(`${block}      strategy: veomni\n      ‸\n      fsdp_size: 8\n`));
    expect(offered).toContain("activation_offload_modules");
    expect(offered).toContain("ulysses_parallel_size");
    expect(offered).not.toContain("strategy");
    expect(offered).not.toContain("fsdp_size");
  });

  it("never offers keys that are gone or belong to another engine", () => {
    const offered = labels(completeAt(`${block}      ‸`));
    expect(offered).not.toContain("activation_gpu_limit");
    expect(offered).not.toContain("enable_async_activation");
  });

  it("brings values to fill in", () => {
    const line = `${block}      ena‸`;
    expect(taken(line, "enable_async_activation_offload")).toBe(
      `${block}      enable_async_activation_offload: \${1|true,false|}`,
    );
    expect(taken(line, "activation_offload_modules")).toBe(
      `${block}      activation_offload_modules:\n  - \${1:model.layers.{*\\}}`,
    );
    expect(taken(line, "activation_offload_host_cache_limit_gb")).toBe(
      `${block}      activation_offload_host_cache_limit_gb: \${1:4}`,
    );
  });

  it("changes the name only where a colon stands already", () => {
    expect(taken(`${block}      forw‸: true`, "forward_only")).toBe(`${block}      forward_only: true`);
  });

  it("offers the keys of nested blocks", () => {
    expect(labels(completeAt(`${block}      router_replay:\n        ‸`))).toContain("mode");
  });

  it("moves a line that is indented too far to its siblings", () => {
    expect(taken(`${block}      seed: 1\n         ‸`, "forward_only")).toBe(
      `${block}      seed: 1\n      forward_only: \${1|true,false|}`,
    );
  });

  it("knows the optimizer block, the model beside the actor, and the engine's name", () => {
    expect(labels(completeAt("actor_rollout_ref:\n  actor:\n    optim:\n      l‸"))).toContain("lr_warmup_steps");
    expect(labels(completeAt("actor_rollout_ref:\n  model:\n    ‸"))).toContain("enable_gradient_checkpointing");
    expect(labels(completeAt("model_engine: ‸"))).toContain("veomni");
  });

  it("knows a block that was typed since the last parse, by its place", () => {
    expect(labels(completeAt("critic:\n  veomni:\n    ‸"))).toContain("activation_offload_modules");
  });

  it("offers nothing where nothing is known", () => {
    expect(completeAt("data:\n  ‸")).toEqual([]);
    expect(complete("a: ", 3, undefined)).toEqual([]);
  });

  it("works behind an unclosed quote and an unclosed list", () => {
    expect(labels(completeAt(`data:\n  x: "open\n${block}      ‸`))).toContain("activation_offload_modules");
    expect(labels(completeAt(`data:\n  x: [open\n${block}      ‸`))).toContain("activation_offload_modules");
  });

  it("completes inside braces", () => {
    const offered = labels(completeAt("actor_rollout_ref: {actor: {veomni: {seed: 1, fs‸}}}"));
    expect(offered).toContain("fsdp_size");
    expect(offered).not.toContain("seed");
  });

  it("indents further lines below a key that stands behind a dash", () => {
    const engine: ConfigOutline = { ...composed, engines: [""], form: "engine" };
    const [suggestion] = completeAt("router_r‸", engine).filter(({ label }) => label === "router_replay");
    expect(suggestion?.insertText).toBe("router_replay:\n  $0");
  });
});

describe("complete, the async snippet", () => {
  it("turns async offload on with what is missing", () => {
    expect(taken(`${block}      ‸`, "Turn async offload on")).toBe(
      `${block}      enable_async_activation_offload: true\n` +
        "activation_offload_modules:\n  - ${1:model.layers.{*\\}}\nactivation_offload_host_cache_limit_gb: ${2:4.0}",
    );
    expect(taken(`${block}      activation_offload_modules: []\n      ‸`, "Turn async offload on")).not.toContain(
      "model.layers",
    );
  });

  it("is not offered where the switch is written", () => {
    expect(labels(completeAt(`${block}      enable_async_activation_offload: false\n      ‸`))).not.toContain(
      "Turn async offload on",
    );
  });

  it("uses VeOmni's own names and adds the block that is missing", () => {
    const inBlock = "model:\n  accelerator:\n    offload_config:\n      ‸";
    expect(taken(inBlock, "Turn async offload on", modelScoped)).toContain("enable_async_activation: true");
    expect(taken("model:\n  accelerator:\n    ‸", "Turn async offload on", modelScoped)).toContain(
      "    offload_config:\n  enable_async_activation: true\n",
    );
  });
});

describe("complete, values", () => {
  it("offers booleans, the default first", () => {
    const found = completeAt(`${block}      forward_only: ‸`);
    expect(labels(found)).toEqual(["true", "false"]);
    expect(found.find(({ preselect }) => preselect === true)?.label).toBe("false");
  });

  it("offers allowed values and says when others are possible", () => {
    const found = completeAt(`${block}      attn_implementation: fl‸`);
    expect(labels(found)).toContain("flash_attention_3");
    expect(found[0]?.detail).toContain("others can be registered");
  });

  it("puts the blank behind the colon", () => {
    expect(taken(`${block}      forward_only:‸`, "true")).toBe(`${block}      forward_only: true`);
  });

  it("replaces the whole old value, and keeps quotes and comments", () => {
    expect(taken(`${block}      attn_implementation: "ea‸ger" # why`, "sdpa")).toBe(
      `${block}      attn_implementation: "sdpa" # why`,
    );
  });

  it("says the bytes of cache limits", () => {
    const found = completeAt(`${block}      activation_offload_host_cache_limit_gb: ‸`);
    expect(found.find(({ label }) => label === "0.25")?.detail).toBe("268,435,456 bytes");
  });

  it("offers null where it is allowed", () => {
    expect(labels(completeAt("model:\n  config_path: ‸", modelScoped))).toContain("null");
  });

  it("offers layouts in the pinning comment", () => {
    expect(labels(completeAt("# offload-lens: layout=mod‸\nmodel:\n"))).toContain("model-scoped+template");
    expect(completeAt("# offload-lens: other=‸\n")).toEqual([]);
  });
});

describe("complete, patterns", () => {
  const list = `${block}      activation_offload_modules:\n`;

  it("offers whole stacks first, with what they take on this model", () => {
    const found = [...completeAt(`${list}        - ‸`)].sort((a, b) => a.sortText.localeCompare(b.sortText));
    expect(found[0]).toMatchObject({ label: "model.layers.{*}", detail: "4 modules", insertText: "model.layers.{*}" });
    expect(labels(found)).toEqual(["model.layers.{*}", "model", "lm_head"]);
  });

  it("goes on segment by segment", () => {
    expect(labels(completeAt(`${list}        - model.‸`))).toEqual([
      "model.layers.{*}",
      "model.embed_tokens",
      "model.layers",
      "model.norm",
    ]);
    expect(labels(completeAt(`${list}        - model.layers.‸`))).toEqual([
      "model.layers.{*}",
      "model.layers.*",
      "model.layers.0",
      "model.layers.1",
      "model.layers.2",
      "model.layers.3",
    ]);
    expect(labels(completeAt(`${list}        - model.layers.*.s‸`))).toContain("model.layers.*.self_attn");
  });

  it("quotes entries in brackets, inside half-typed lists too", () => {
    const line = `${block}      activation_offload_modules: [mod‸`;
    expect(taken(line, "model.layers.{*}")).toBe(`${block}      activation_offload_modules: ["model.layers.{*}"`);
    expect(taken(`${block}      activation_offload_modules: ["mod‸`, "model.layers.{*}")).toBe(
      `${block}      activation_offload_modules: ["model.layers.{*}"`,
    );
    expect(taken(`${block}      activation_offload_modules: ['mod‸']`, "model.layers.{*}")).toBe(
      `${block}      activation_offload_modules: ['model.layers.{*}']`,
    );
  });

  it("adds the dash that is missing", () => {
    expect(taken(`${list}        ‸`, "model.layers.{*}")).toBe(`${list}        - model.layers.{*}`);
  });

  it("offers a whole list behind the key", () => {
    expect(taken(`${block}      activation_offload_modules: ‸`, '["model.layers.{*}"]')).toBe(
      `${block}      activation_offload_modules: ["model.layers.{*}"]`,
    );
  });

  it("offers the usual pattern when no model is known", () => {
    const { text, offset } = atCursor(`${list}        - ‸`);
    expect(labels(complete(text, offset, composed))).toEqual(["model.layers.{*}"]);
  });

  it("offers classes where classes are wanted", () => {
    expect(labels(completeAt(`${block}      basic_modules:\n        - ‸`))[0]).toBe("TinyDecoderLayer");
  });

  it("works in VeOmni's own files", () => {
    const text = "model:\n  accelerator:\n    offload_config:\n      activation_offload_modules:\n        - ‸";
    expect(labels(completeAt(text, modelScoped))).toContain("model.layers.{*}");
  });
});

describe("complete, on what recognition says", () => {
  it("takes the layout of a training file", () => {
    const text =
      "model:\n  model_path: x\n  accelerator:\n    ‸\ndata:\n  train_path: y\ntrain:\n  num_train_epochs: 1\n";
    const { text: plain } = atCursor(text);
    const outline = outlineOfText("configs/text/x.yaml", plain)?.outline;
    expect(outline?.dialect).toBe("model-scoped");
    expect(labels(completeAt(text, outline))).toContain("offload_config");
  });
});
