import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verlKindOf } from "../ofText.js";

function fixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../fixtures/config/${name}`, import.meta.url)), "utf8");
}

function outline(path: string, text: string) {
  const kind = verlKindOf(path, text);
  if (kind === undefined) return undefined;
  const blocks = kind.blocks.map((block) => `${block.path}:${block.role}:${block.model?.path ?? "-"}`);
  return { form: kind.form, generated: kind.generated, blocks };
}

describe("recognise", () => {
  it("knows the engine block by class or by place", () => {
    const engine = { form: "engine", generated: false, blocks: [":unknown:-"] };
    expect(outline("any.yaml", fixture("engine.good.yaml"))).toEqual(engine);
    expect(outline("verl\\trainer\\config\\engine\\veomni.yaml", "seed: 1\n")).toEqual(engine);
    expect(outline("engine/fsdp.yaml", "seed: 1\n")).toBeUndefined();
  });

  it("knows role files and whose they are", () => {
    expect(outline("x/actor/veomni_actor.yaml", fixture("actor/veomni_actor.yaml"))).toEqual({
      form: "role",
      generated: false,
      blocks: ["veomni:actor:-"],
    });
    expect(outline("x/ref/veomni_ref.yaml", fixture("ref/veomni_ref.yaml"))?.blocks).toEqual(["veomni:ref:-"]);
    expect(outline("my.yaml", "_target_: verl.workers.config.VeOmniCriticConfig\nveomni: {seed: 1}\n")?.blocks).toEqual(
      ["veomni:critic:-"],
    );
  });

  it("finds every block of a composed config, with the model of its role", () => {
    expect(outline("run.yaml", fixture("composed.good.yaml"))).toEqual({
      form: "composed",
      generated: false,
      blocks: [
        "actor_rollout_ref.actor.veomni:actor:actor_rollout_ref.model",
        "actor_rollout_ref.ref.veomni:ref:actor_rollout_ref.model",
        "critic.veomni:critic:critic.model",
      ],
    });
  });

  it("finds blocks by class anywhere, and an engine that is chosen but not configured", () => {
    expect(outline("r.yaml", "a: {b: {_target_: verl.workers.config.VeOmniEngineConfig}}\n")?.blocks).toEqual([
      "a.b:unknown:-",
    ]);
    expect(outline("r.yaml", "actor_rollout_ref: {actor: {strategy: veomni}}\n")).toMatchObject({
      form: "composed",
      blocks: [],
    });
    expect(outline("r.yaml", "defaults:\n  - override /model_engine: veomni\n")).toMatchObject({
      form: "composed",
      blocks: [],
    });
  });

  it("knows the SFT trainer's engine", () => {
    expect(outline("s.yaml", fixture("sft.good.yaml"))).toEqual({
      form: "sft",
      generated: false,
      blocks: ["engine:sft:model"],
    });
    expect(outline("s.yaml", "engine: {strategy: veomni}\n")?.blocks).toEqual(["engine:sft:-"]);
    expect(outline("s.yaml", "engine: {strategy: fsdp}\nnote: veomni\n")).toBeUndefined();
  });

  it("knows generated reference files by name or header", () => {
    const text = fixture("_generated_ppo_veomni_trainer.yaml");
    expect(outline("x/_generated_ppo_veomni_trainer.yaml", text)?.generated).toBe(true);
    expect(outline("renamed.yaml", text)?.generated).toBe(true);
  });

  it.each([
    ["VeOmni's own training file", "configs/text/qwen3.yaml", fixture("veomni_training.yaml")],
    ["unrelated YAML", "compose.yaml", "services:\n  web: {image: veomni}\n"],
    ["an unrelated key of that name", "x.yaml", "veomni:\n  a: 1\n"],
    ["an empty text", "x.yaml", ""],
    ["broken unrelated YAML", "x.yaml", "veomni: [\n"],
  ])("leaves %s alone", (_, path, text) => {
    expect(verlKindOf(path, text)).toBeUndefined();
  });

  it("still knows files that cannot be read at all", () => {
    expect(outline("engine/veomni.yaml", `a: ${"[".repeat(500)}`)).toEqual({
      form: "engine",
      generated: false,
      blocks: [],
    });
    expect(outline("x.yaml", `_target_: VeOmniEngineConfig\na: ${"[".repeat(500)}`)).toMatchObject({ blocks: [] });
  });
});
