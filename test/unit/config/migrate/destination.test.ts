import { describe, expect, it } from "vitest";
import type { ConfigNode } from "../../../../src/core/config/document/configNode.js";
import { destinationOf, type Reading } from "../../../../src/core/config/migrate/destination.js";

const span = { start: 0, end: 0 };
const text: ConfigNode = { kind: "scalar", span, style: "plain", value: { type: "str", value: "x" } };
const block: ConfigNode = { kind: "mapping", span, flow: false, entries: [] };

function at(layout: Reading["layout"], path: string): Reading {
  return { layout, path };
}

describe("destinationOf", () => {
  it.each([
    ["a moved key", at("flat", "train"), "lr", text, "train.optimizer.lr"],
    ["the optimizer's name", at("flat", "train"), "optimizer", text, "train.optimizer.type"],
    ["the optimizer's block, at its newer place", at("flat", "train"), "optimizer", block, "train.optimizer"],
    ["a key of the target", at("flat", "train"), "checkpoint", block, "train.checkpoint"],
    [
      "a mistake of shipped configs",
      at("train-scoped", "train.accelerator"),
      "offload",
      block,
      "train.accelerator.offload_config",
    ],
    ["verl's spelling", at("flat", "model"), "path", text, "model.model_path"],
    [
      "a member of a free mapping under a name of its own",
      at("flat", "model"),
      "lora_rank",
      text,
      "model.lora_config.rank",
    ],
    ["a key in another block's place", at("flat", "train"), "dyn_bsz_buffer_size", text, "data.dyn_bsz_buffer_size"],
  ] as const)("knows the place of %s", (_, parent, key, value, path) => {
    expect(destinationOf({ from: "flat", to: "train-scoped" }, parent, key, value)).toMatchObject({ kind: "at", path });
  });

  it("tells keys that are lost from keys that nothing reads", () => {
    const route = { from: "train-scoped", to: "model-scoped" } as const;
    expect(destinationOf(route, at("train-scoped", "train"), "chunk_mbs_config", block)).toMatchObject({
      kind: "homeless",
      reading: { path: "train.chunk_mbs_config" },
    });
    for (const [parent, key] of [
      [at("train-scoped", "data"), "height"],
      [at("train-scoped", "train.accelerator.fsdp_config"), "full_shard"],
      [at("train-scoped", "train.accelerator.offload_config"), "prefetch"],
    ] as const) {
      expect(destinationOf(route, parent, key, text)).toMatchObject({ kind: "homeless" });
    }
  });

  it("leaves unknown keys, and keys with dots, where they are", () => {
    const route = { from: "flat", to: "model-scoped" } as const;
    expect(destinationOf(route, at("flat", "train"), "my_own", text)).toEqual({ kind: "stays", isUnknown: true });
    expect(destinationOf(route, undefined, "train.lr", text)).toEqual({ kind: "stays", isUnknown: true });
  });

  it("takes omni modules back to no older layout", () => {
    const back = { from: "model-scoped", to: "train-scoped" } as const;
    expect(destinationOf(back, at("model-scoped", "model"), "modules", block)).toMatchObject({
      kind: "homeless",
    });
    expect(
      destinationOf(
        { from: "model-scoped", to: "model-scoped+template" },
        at("model-scoped", "model"),
        "modules",
        block,
      ),
    ).toEqual({ kind: "stays" });
  });
});
