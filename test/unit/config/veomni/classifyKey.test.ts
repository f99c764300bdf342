import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { classifyKey } from "../../../../src/core/config/veomni/classifyKey.js";
import { fieldNamed } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import {
  droppedKeys,
  misnamedKeys,
  unmergedKeys,
  verlSpellings,
} from "../../../../src/core/config/veomni/fields/strayKeys.js";
import { taskKeys } from "../../../../src/core/config/veomni/fields/taskKeys.js";
import type { LayoutId } from "../../../../src/core/config/veomni/layout.js";
import { newestLayout } from "../../../../src/core/config/veomni/layout.js";
import { writtenKeys } from "../../../../src/core/config/veomni/writtenKeys.js";
import { recordedFields } from "./recordedFields.js";

function classify(path: string, layout: LayoutId, value = "1") {
  const text = path.split(".").reduceRight((inner, key) => `{${key}: ${inner}}`, value);
  const written = writtenKeys(parseConfig(text, "pyyaml"), layout).at(-1);
  return written === undefined ? undefined : classifyKey(written, layout);
}

describe("classifyKey", () => {
  it("says nothing about keys that the layout has", () => {
    expect(classify("train.seed", "flat")).toBeUndefined();
    expect(classify("train.enable_full_shard", "flat")).toBeUndefined();
  });

  it("knows where moved keys stand now", () => {
    expect(classify("train.lr", "model-scoped")).toEqual({ kind: "moved", target: "model.optimizer.lr" });
    expect(classify("train.optimizer", "model-scoped", "adamw")).toEqual({
      kind: "moved",
      target: "model.optimizer.type",
    });
    expect(classify("train.optimizer", "model-scoped", "{}")).toEqual({ kind: "moved", target: "model.optimizer" });
    expect(classify("model.chat_template", "train-scoped")).toEqual({ kind: "moved", target: "data.chat_template" });
    expect(classify("train.checkpoint", "flat", "{}")).toMatchObject({ kind: "newer" });
  });

  it("tells newer members of a block from removed ones", () => {
    expect(classify("train.optimizer.betas", "train-scoped")).toMatchObject({ kind: "newer" });
    expect(classify("model.foundation", "model-scoped", "{}")).toMatchObject({ kind: "removed" });
    for (const key of droppedKeys) expect(classify(key.path, "train-scoped")).toMatchObject({ kind: "removed" });
  });

  it("knows every stray key of the tables", () => {
    const tables = [
      ["misnamed", misnamedKeys],
      ["unmerged", unmergedKeys],
      ["verl", verlSpellings],
    ] as const;
    // What takes the place of datasets_repeat exists in the newest layouts only; before, tasks declare it and nothing else.
    const layoutOf = (path: string) => (path.startsWith("data.datasets") ? newestLayout : "train-scoped+async");
    for (const [kind, keys] of tables) {
      for (const key of keys)
        expect([key.path, classify(key.path, layoutOf(key.path))]).toMatchObject([key.path, { kind }]);
    }
  });

  it("covers the wrong keys that were seen in shipped configs", () => {
    const known = [...misnamedKeys, ...taskKeys].map((key) => key.path);
    for (const entry of recordedFields.wrongKeys) {
      const [first = "", ...rest] = entry.split(" / ");
      const block = first.slice(0, first.lastIndexOf("."));
      const paths = [first, ...rest.map((key) => (key.includes(".") ? key : `${block}.${key}`))];
      for (const path of paths) expect(known).toContain(path);
    }
  });

  it("gives replacements their place in the layout", () => {
    const spelling = "accelerator.offload_config.enable_async_activation_offload";
    expect(classify(`model.${spelling}`, "model-scoped")).toMatchObject({
      kind: "verl",
      target: "model.accelerator.offload_config.enable_async_activation",
    });
    expect(classify("model.lora_rank", "flat")).toMatchObject({ target: "model.lora_config.rank" });
    expect(classify("data.datasets_repeat", "train-scoped")).not.toHaveProperty("target");
    expect(fieldNamed("data.dataset_repeat").paths["train-scoped"]).toBeUndefined();
  });

  it("offers the nearest spelling, or the block where the key belongs", () => {
    expect(classify("train.sede", "flat")).toEqual({ kind: "unknown", nearest: "seed" });
    expect(classify("train.max_seq_len", "train-scoped")).toEqual({ kind: "unknown", target: "data.max_seq_len" });
    expect(classify("train.enable", "train-scoped")).toEqual({ kind: "unknown" });
    expect(classify("zzzzzz", "train-scoped")).toEqual({ kind: "unknown" });
  });
});
