import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { anyPath, commentsOf, fixture, loaded, migrated, refused } from "./migratedText.js";

function engine(...lines: readonly string[]): string {
  return ["_target_: verl.workers.config.VeOmniEngineConfig", ...lines, ""].join("\n");
}

describe("migrateVerl", () => {
  it("converts a file with old keys as expected, clean, with every comment, and once", () => {
    const text = fixture("verl.yaml");
    const { text: converted, homeless } = migrated(text, "verl");
    expect(converted).toBe(fixture("expected/verl.to.verl.yaml"));
    expect(checkDocument(anyPath, converted)?.diagnostics).toEqual([]);
    for (const comment of commentsOf(text)) expect(converted).toContain(comment);
    expect(homeless.map(({ key }) => key)).toEqual([
      "actor_rollout_ref.actor.veomni.data_parallel_shard_size",
      "actor_rollout_ref.actor.veomni.tensor_parallel_size",
      "actor_rollout_ref.ref.veomni.activation_gpu_limit",
      "actor_rollout_ref.ref.veomni.use_orig_params",
    ]);
    expect(migrated(converted, "verl").edits).toEqual([]);
  });

  it("replaces the GPU limit where it was in use, and turns it into a comment where not", () => {
    expect(loaded(migrated(engine("activation_gpu_limit: 2.0", "seed: 1"), "verl").text)).toMatchObject({
      enable_async_activation_offload: true,
      activation_offload_modules: [],
      seed: 1,
    });
    const unused = migrated(engine("activation_gpu_limit: 0.0 # default", "seed: 1"), "verl");
    expect(unused.text).toBe(
      engine(
        "# No key of verl's engine: verl #7724 (merged 2026-09-03) removed it.",
        "# activation_gpu_limit: 0.0 # default",
        "seed: 1",
      ),
    );
    expect(unused.homeless).toEqual([
      { key: "activation_gpu_limit", why: "verl #7724 (merged 2026-09-03) removed it." },
    ]);
  });

  it("keeps the format of verl's own tree", () => {
    const path = "verl/trainer/config/engine/veomni.yaml";
    const text = engine("", "# GB of activations on the GPU", "activation_gpu_limit: 1.0", "", "# seed", "seed: 42");
    const { text: converted } = migrated(text, "verl", path);
    expect(checkDocument(path, converted)?.diagnostics).toEqual([]);
    const fields = converted.split("\n").filter((line) => /^[a-z]/.test(line));
    for (const field of fields)
      expect(converted).toMatch(new RegExp(`\\n\\n# [^\\n]+\\n${field.replace(/[[\]]/g, "\\$&")}`));
  });

  it("renames the first of two keys that mean the same, and leaves CRLF alone", () => {
    const text = engine("ep_size: 2", "ulysses_size: 4", "ulysses_sequence_parallel_size: 8").replaceAll("\n", "\r\n");
    const { text: converted } = migrated(text, "verl");
    expect(loaded(converted)).toMatchObject({ expert_parallel_size: 2, ulysses_parallel_size: 4 });
    expect(converted).toContain("\r\n# ulysses_sequence_parallel_size: 8\r\n");
    expect(converted.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("takes neighbours in braces out one after the other", () => {
    const text = engine("offload_policy: {a: 1}", "seed: 1").replace("seed: 1", "seed: 1\nmixed_precision: {}");
    expect(migrated(text, "verl").text).toContain("# offload_policy: {a: 1}\n");
    const flow = `actor_rollout_ref: {actor: {strategy: veomni, veomni: {wrap_policy: {}, model_dtype: x, ep_size: 2, use_orig_params: true}}}\n`;
    expect(loaded(migrated(flow, "verl").text)).toEqual({
      actor_rollout_ref: { actor: { strategy: "veomni", veomni: { expert_parallel_size: 2 } } },
    });
  });

  it("refuses broken YAML with the place", () => {
    expect(refused(`${engine("seed: 1")}activation_offload_modules: [model.layers.{*}]\n`, "verl")).toMatchObject({
      code: "CONFIG_BROKEN",
    });
  });
});
