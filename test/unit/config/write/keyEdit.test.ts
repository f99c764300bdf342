import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { readConfig, settingsOf } from "../../../../src/core/config/readConfig.js";
import { type KeyValue, keyEdits } from "../../../../src/core/config/write/keyEdit.js";

/** The texts after each way to write a key in the first block of a file, or in another one. */
function written(path: string, text: string, key: string, value: KeyValue, blockPath?: string): readonly string[] {
  const read = readConfig(path, text);
  if (read === undefined) throw new Error("no config");
  const block = blockPath ?? settingsOf(read)[0]?.blockPath ?? "";
  return keyEdits(read, { blockPath: block }, key, value).map(
    ({ span, newText }) => text.slice(0, span.start) + newText + text.slice(span.end),
  );
}

const block = "actor_rollout_ref.actor.veomni";
const yaml = `actor_rollout_ref:
  model:
    path: m # as downloaded
  actor:
    veomni:
      _target_: verl.workers.config.VeOmniEngineConfig
      param_offload: false # rollout
trainer: {nnodes: 1}
`;

describe("a key of a YAML file", () => {
  it("is set where it stands, comments and all else kept", () => {
    expect(written("a.yaml", yaml, `${block}.param_offload`, true)).toEqual([
      yaml.replace("param_offload: false", "param_offload: true"),
    ]);
  });

  it("is added to its block, in the style of the block", () => {
    expect(written("a.yaml", yaml, "actor_rollout_ref.model.use_fused_kernels", true)).toEqual([
      yaml.replace("# as downloaded\n", "# as downloaded\n    use_fused_kernels: true\n"),
    ]);
    expect(written("a.yaml", yaml, "trainer.n_gpus_per_node", 4)).toEqual([
      yaml.replace("{nnodes: 1}", "{nnodes: 1, n_gpus_per_node: 4}"),
    ]);
  });

  it("brings the blocks above it that are missing", () => {
    const [text = ""] = written("a.yaml", yaml, "data.max_length", 512);
    expect(text).toContain("\ndata:\n  max_length: 512");
  });

  it("is not written where an anchor shares the block with other places, or a merge brought it", () => {
    const shared = `x: &e {param_offload: true}\nactor_rollout_ref:\n  actor:\n    veomni: *e\n  ref:\n    veomni: *e\n`;
    expect(written("a.yaml", shared, `${block}.param_offload`, false)).toEqual([]);
    const merged = `x: &e {param_offload: true}\nactor_rollout_ref:\n  actor:\n    veomni:\n      <<: *e\n      mixed_precision: true\n`;
    expect(written("a.yaml", merged, `${block}.param_offload`, false)).toEqual([]);
  });

  it("is not written in the place of a list or a mapping", () => {
    expect(written("a.yaml", yaml, "actor_rollout_ref.model", true)).toEqual([]);
  });

  it("keeps the line ends of the file", () => {
    const returns = yaml.replaceAll("\n", "\r\n");
    const [text = ""] = written("a.yaml", returns, "actor_rollout_ref.model.use_fused_kernels", true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(text).toContain("\r\n    use_fused_kernels: true\r\n");
  });

  it("has the comment that verl's own tree wants", () => {
    const engine = "_target_: verl.workers.config.VeOmniEngineConfig\n\n# Offload.\nparam_offload: false\n";
    const path = "verl/trainer/config/engine/veomni.yaml";
    const [text = ""] = written(path, engine, "entropy_checkpointing", true);
    expect(text).toMatch(/\n\n# [A-Z`][^\n]+\nentropy_checkpointing: true\n?$/);
  });
});

const script = `python3 -m verl.trainer.main_ppo model_engine=veomni \\
  trainer.nnodes=2 \\
  '${block}.enable_async_activation_offload=False' \\
  actor_rollout_ref.model.path="$MODEL"
`;

describe("a key of a command line", () => {
  it("is set in the quotes that stand there", () => {
    expect(written("a.sh", script, `${block}.enable_async_activation_offload`, true)).toEqual([
      script.replace("offload=False", "offload=True"),
    ]);
    expect(written("a.sh", script, "trainer.nnodes", 4)).toEqual([script.replace("nnodes=2", "nnodes=4")]);
  });

  it("is a word of its own behind the last one outside of quotes, without and with the plus of Hydra", () => {
    const key = `${block}.entropy_from_logits_chunk_size`;
    const texts = written("a.sh", script, key, 512);
    expect(texts).toEqual([
      script.replace('path="$MODEL"', `path="$MODEL" ${key}=512`),
      script.replace('path="$MODEL"', `path="$MODEL" +${key}=512`),
    ]);
    expect(
      texts.map((text) => checkDocument("a.sh", text)?.diagnostics.filter((d) => d.severity === "error").length),
    ).toContain(0);
  });

  it("is not written where branches set it otherwise", () => {
    const branches = `if [ "$A" ]; then N=trainer.nnodes=1; else N=trainer.nnodes=2; fi\n${script.replace("trainer.nnodes=2", "$N")}`;
    expect(written("a.sh", branches, "trainer.nnodes", 4)).toEqual([]);
  });

  it("goes to the call of its block", () => {
    const two = `${script}\n${script}`;
    const [text = ""] = written("a.sh", two, "trainer.nnodes", 8, `${block} (2)`);
    expect([text.indexOf("nnodes=8") > script.length, text.match(/nnodes=2/g)?.length]).toEqual([true, 1]);
  });

  it("is a flag of VeOmni's own", () => {
    const task =
      "torchrun tasks/train_text.py --train.micro_batch_size 2 --train.accelerator.offload_config.enable_async_activation true\n";
    expect(written("a.sh", task, "train.micro_batch_size", 1)).toEqual([task.replace("size 2", "size 1")]);
    expect(written("a.sh", task, "train.global_batch_size", 8)).toEqual([
      task.replace("async_activation true", "async_activation true --train.global_batch_size 8"),
    ]);
  });
});
