import { expect, it } from "vitest";
import { composedEntry } from "../../../../src/core/config/verl/composedTree.js";
import { verlDefaults } from "../../../../src/core/config/verl/verlDefaults.js";

const places = {
  role: "actor",
  engine: "veomni",
  rolePath: "actor_rollout_ref.actor",
  blockPath: "actor_rollout_ref.actor.veomni",
  modelPath: "actor_rollout_ref.model",
} as const;

it("has keys that verl's composed configuration has, of its types", () => {
  const ofDataclass = ["entropy_from_logits_chunk_size", "optim.optimizer"];
  for (const [key, value] of verlDefaults(places)) {
    if (ofDataclass.some((name) => key.endsWith(name))) continue;
    expect(composedEntry("ppo", key)?.kind, key).toBe("value");
    expect(["number", "boolean", "string"]).toContain(typeof value);
  }
});

it("takes the engine's values from its table", () => {
  const defaults = verlDefaults(places);
  expect(defaults.get("actor_rollout_ref.actor.veomni.cross_entropy_loss_implementation")).toBe("eager");
  expect(defaults.get("actor_rollout_ref.actor.veomni.entropy_from_logits_chunk_size")).toBe(2048);
  expect(defaults.get("actor_rollout_ref.actor.veomni.mixed_precision")).toBe(true);
});

it("differs by engine and role", () => {
  const fsdp = verlDefaults({ ...places, engine: "fsdp2", blockPath: "actor_rollout_ref.actor.fsdp_config" });
  expect(fsdp.get("actor_rollout_ref.actor.fsdp_config.use_torch_compile")).toBe(true);
  const critic = verlDefaults({
    ...places,
    role: "critic",
    rolePath: "critic",
    blockPath: "critic.veomni",
    modelPath: "critic.model",
  });
  expect(critic.get("critic.ppo_max_token_len_per_gpu")).toBe(32_768);
});
