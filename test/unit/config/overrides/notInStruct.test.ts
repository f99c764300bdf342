import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";

const ppo = "python3 -m verl.trainer.main_ppo model_engine=veomni";

function script(call: string, ...words: readonly string[]): string {
  return `${[call, ...words.map((word) => `  ${word}`)].join(" \\\n")}\n`;
}

function diagnosticsOf(text: string) {
  return checkDocument("run.sh", text)?.diagnostics ?? [];
}

function found(text: string): readonly string[] {
  return diagnosticsOf(text).map(
    ({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`,
  );
}

describe("structFindings", () => {
  it.each([
    ["actor_rollout_ref.actor.fsdp_config.param_offload", "actor_rollout_ref.actor.veomni.param_offload"],
    ["actor_rollout_ref.ref.fsdp_config.param_offload", "actor_rollout_ref.ref.veomni.param_offload"],
    ["actor_rollout_ref.actor.ulysses_sequence_parallel_size", "actor_rollout_ref.actor.veomni.ulysses_parallel_size"],
    ["critic.ulysses_sequence_parallel_size", "critic.veomni.ulysses_parallel_size"],
    ["actor_rollout_ref.actor.grad_clip", "actor_rollout_ref.actor.optim.clip_grad"],
    ["critic.grad_clip", "critic.optim.clip_grad"],
    ["critic.model.fsdp_config.optimizer_offload", "critic.veomni.optimizer_offload"],
    [
      "actor_rollout_ref.actor.megatron.expert_model_parallel_size",
      "actor_rollout_ref.actor.veomni.expert_parallel_size",
    ],
    ["actor_rollout_ref.actor.entropy_checkpointing", "actor_rollout_ref.actor.veomni.entropy_checkpointing"],
    ["actor_rollout_ref.actor.ppo_minibatch_size", "actor_rollout_ref.actor.ppo_mini_batch_size"],
  ])("%s is %s here", (before, after) => {
    const text = script(ppo, `${before}=1`);
    expect(found(text)).toEqual([`error not-in-struct|${before}`]);
    const fix = diagnosticsOf(text)[0]?.fixes[0];
    expect(fix && applyEdits(text, fix)).toBe(script(ppo, `${after}=1`));
  });

  it("removes what has no counterpart, and what its counterpart sets already", () => {
    const kept = "actor_rollout_ref.actor.veomni.ulysses_parallel_size=4";
    const text = script(ppo, "actor_rollout_ref.actor.ulysses_sequence_parallel_size=4", kept);
    expect(diagnosticsOf(text)[0]?.fixes[0]?.title).toBe("Remove this override");
    const gone = diagnosticsOf(script(ppo, "actor_rollout_ref.actor.fsdp_config.grad_offload=True"));
    expect(gone.map(({ severity, fixes }) => [severity, fixes[0]?.title])).toEqual([["error", "Remove this override"]]);
    expect(gone[0]?.message).toContain("fsdp_config belongs to other engines");
  });

  it("is not certain of a key that no engine has", () => {
    expect(found(script(ppo, "trainer.brand_new_thing=1"))).toEqual(["warning not-in-struct|trainer.brand_new_thing"]);
  });

  it.each<[string, string, readonly string[]]>([
    ["+ adds", "+trainer.brand_new_thing=1", []],
    ["++ adds or overrides", "++actor_rollout_ref.actor.fsdp_config.param_offload=True", []],
    ["+ of what is there", "+trainer.nnodes=1", ["error override-plus-existing|trainer.nnodes"]],
    ["+ of what is null", "+trainer.total_training_steps=1", []],
    ["~ of what is there", "~trainer.nnodes", []],
    [
      "~ of what is not there",
      "~actor_rollout_ref.actor.fsdp_config",
      ["error not-in-struct|actor_rollout_ref.actor.fsdp_config"],
    ],
    ["a key in an open mapping", "+actor_rollout_ref.model.override_config.a=1", []],
    [
      "a key in an open mapping without +",
      "actor_rollout_ref.model.override_config.a=1",
      ["error not-in-struct|actor_rollout_ref.model.override_config.a"],
    ],
    ["Hydra's own", "hydra.run.dir=x", []],
    ["a key below a value", "trainer.nnodes.a=1", ["error not-in-struct|trainer.nnodes.a"]],
    ["+ of a key below a value", "+trainer.nnodes.a=1", []],
    [
      "a key below a null",
      "trainer.ray_wait_register_center_timeout.a=1",
      ["error not-in-struct|trainer.ray_wait_register_center_timeout.a"],
    ],
    ["an entry of a list", "trainer.logger.0=console", ["error override-syntax|trainer.logger.0"]],
    ["a key of a list", "+trainer.logger.a=1", ["error not-in-struct|trainer.logger.a"]],
    ["~ of a null", "~trainer.total_training_steps", ["error not-in-struct|trainer.total_training_steps"]],
    ["a dict with a new key", "trainer={nope: 1}", ["warning not-in-struct|nope"]],
    ["a dict with a known key", "trainer={nnodes: 2}", []],
    [
      "a dict with a new key further down",
      "actor_rollout_ref={actor: {checkpoint: {nope: 1}}}",
      ["warning not-in-struct|nope"],
    ],
    ["a dict for an empty mapping", "actor_rollout_ref.model.override_config={a: 1}", ["error not-in-struct|a"]],
    ["++ of a dict", "++actor_rollout_ref.model.override_config={a: 1}", []],
    ["a dict for a list", "trainer.logger={a: 1}", ["error not-in-struct|trainer.logger"]],
    [
      "+ of a reference to a value",
      "+actor_rollout_ref.ref.strategy=x",
      ["error override-plus-existing|actor_rollout_ref.ref.strategy"],
    ],
    [
      "the optimizer of a reference policy",
      "actor_rollout_ref.ref.optim.lr=1",
      ["error not-in-struct|actor_rollout_ref.ref.optim.lr"],
    ],
    [
      "another engine",
      "model_engine=dp actor_rollout_ref.actor.grad_clip=1",
      ["warning override-repeated|model_engine"],
    ],
  ])("%s", (_, word, expected) => {
    expect(
      found(script(ppo, word.includes("{") ? `'${word}'` : word))
        .filter((line) => !line.startsWith("hint"))
        .sort(),
    ).toEqual(expected.filter((line) => !line.startsWith("hint")));
  });

  it("knows what an earlier word of the call added", () => {
    expect(found(script(ppo, "+trainer.own={}", "trainer.own.a=1"))).toEqual([]);
    const madeMapping = script(ppo, "'trainer.total_training_steps={a: 1}'", "trainer.total_training_steps.a=2");
    expect(found(madeMapping).filter((line) => line.includes("not-in-struct"))).toEqual([]);
  });

  it.each([
    script("python3 -m verl.trainer.main_ppo --config-name mine model_engine=veomni", "critic.grad_clip=1"),
    script("python3 -m recipe.dapo.main_dapo model_engine=veomni", "critic.grad_clip=1"),
    script(`${ppo} $EXTRA`, "critic.grad_clip=1"),
    script(ppo, "actor@actor_rollout_ref.actor=dp_actor", "critic.grad_clip=1"),
    script("python3 -m verl.trainer.main_ppo model_engine=$E", "critic.grad_clip=1"),
  ])("is silent where the tree is not known: %j", (text) => {
    expect(found(text).filter((line) => line.includes("not-in-struct"))).toEqual([]);
  });
});

it("is linear in the keys that a call adds", () => {
  const keys = Array.from({ length: 40_000 }, (_, at) => `+a.k${at}=1`).join(" ");
  const text = `python3 -m verl.trainer.main_ppo model_engine=veomni ${keys} a.k7.b=1 trainer.nope=1\n`;
  const startMs = performance.now();
  const found = checkDocument("run.sh", text)?.diagnostics.filter(({ code }) => code === "not-in-struct");
  expect(found?.map(({ span }) => text.slice(span.start, span.end))).toEqual(["trainer.nope"]);
  expect(performance.now() - startMs).toBeLessThan(60_000);
});

describe("excerpts of documentation", () => {
  const engine = "actor_rollout_ref.actor.veomni.param_offload=True";

  function inBlock(...lines: readonly string[]): readonly string[] {
    const text = `# Notes\n\n\`\`\`bash\n${lines.join("\n")}\n\`\`\`\n`;
    const diagnostics = checkDocument("guide.md", text)?.diagnostics ?? [];
    return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
  }

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "with the engine",
      ["model_engine=veomni", "# memory", "actor_rollout_ref.actor.fsdp_config.param_offload=True"],
      ["error not-in-struct|actor_rollout_ref.actor.fsdp_config.param_offload"],
    ],
    [
      "with keys of the engine",
      [engine, "actor_rollout_ref.actor.grad_clip=1", "critic.ulysses_sequence_parallel_size=2"],
      [
        "warning not-in-struct|actor_rollout_ref.actor.grad_clip",
        "warning not-in-struct|critic.ulysses_sequence_parallel_size",
      ],
    ],
    [
      "with a key that nobody knows",
      [engine, "trainer.brand_new_thing=1"],
      ["information not-in-struct|trainer.brand_new_thing"],
    ],
    ["with keys that are there", [engine, "trainer.nnodes=1", "+trainer.brand_new_thing=1"], []],
    ["with a + too many", [engine, "+trainer.nnodes=1"], ["warning override-plus-existing|trainer.nnodes"]],
    [
      "of the SFT trainer",
      ["engine=veomni", "optim=veomni", "trainer.brand_new_thing=2"],
      ["warning not-in-struct|trainer.brand_new_thing"],
    ],
    ["with the choice of engines", ["model_engine=veomni", "model_engine=fsdp", "critic.grad_clip=1", engine], []],
    ["of two trainers", [engine, "engine.veomni.x=1", "critic.grad_clip=1"], []],
    ["without the engine", ["actor_rollout_ref.actor.fsdp_config.param_offload=True"], []],
  ])("%s", (_, lines, expected) => {
    expect(inBlock(...lines)).toEqual(expected);
  });

  it("are no command: a block with one is judged as a script", () => {
    expect(inBlock(`${ppo} \\`, "  actor_rollout_ref.actor.grad_clip=1")).toEqual([
      "error not-in-struct|actor_rollout_ref.actor.grad_clip",
    ]);
  });
});

describe("keys of another trainer or of an older one", () => {
  const sft = "torchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni";

  it.each([
    [sft, "model.partial_pretrain=a", "model.path=a"],
    [sft, "use_remove_padding=True", "model.use_remove_padding=True"],
    [sft, "ulysses_sequence_parallel_size=2", "engine.ulysses_parallel_size=2"],
    [sft, "model.fsdp_config.offload_params=True", "engine.param_offload=True"],
    [sft, "actor_rollout_ref.model.path=a", "model.path=a"],
    [sft, "actor_rollout_ref.actor.optim.lr=1e-5", "optim.lr=1e-5"],
    [ppo, "engine.param_offload=True", "actor_rollout_ref.actor.veomni.param_offload=True"],
    [ppo, "optim.lr=1e-5", "actor_rollout_ref.actor.optim.lr=1e-5"],
    [ppo, "model.path=a", "actor_rollout_ref.model.path=a"],
  ])("%s %s", (call, before, after) => {
    const text = script(call, before);
    const key = before.split("=")[0];
    expect(found(text)).toContain(`error not-in-struct|${key}`);
    const fix = diagnosticsOf(text).find(({ code }) => code === "not-in-struct")?.fixes[0];
    expect(fix && applyEdits(text, fix)).toBe(script(call, after));
  });

  it("does not rename a count of all GPUs to one of a single GPU, but names it", () => {
    const [diagnostic] = diagnosticsOf(script(sft, "data.micro_batch_size=2"));
    expect(diagnostic?.message).toContain("Here it is data.micro_batch_size_per_gpu.");
    expect(diagnostic?.fixes).toEqual([]);
  });
});
