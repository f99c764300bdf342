import { describe, expect, it } from "vitest";
import { loadCheckpointTree } from "../../../../src/core/modules/source/checkpoint.js";
import { TensorNames } from "../../../../src/core/modules/source/tensorNames.js";
import { withoutWrappers } from "../../../../src/core/modules/source/trainingWrappers.js";
import { memoryFiles, tensorFile } from "../memoryFiles.js";

const plain = ["model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight"];
const unwrap = (names: readonly string[]) => {
  const found = withoutWrappers(TensorNames.of(names));
  return { names: [...found.names], wrappers: found.wrappers };
};

describe("withoutWrappers", () => {
  it("leaves plain names alone", () => {
    expect(unwrap(plain)).toEqual({ names: plain, wrappers: [] });
    expect(unwrap([])).toEqual({ names: [], wrappers: [] });
  });

  it.each([
    ["_orig_mod", (name: string) => `_orig_mod.${name}`],
    [
      "_fsdp_wrapped_module",
      (name: string) => `_fsdp_wrapped_module.${name.replace(".mlp", "._fsdp_wrapped_module.mlp")}`,
    ],
    ["_checkpoint_wrapped_module", (name: string) => name.replace(".mlp", "._checkpoint_wrapped_module.mlp")],
    ["module", (name: string) => `module.${name}`],
  ])("takes %s out of the names", (wrapper, wrap) => {
    expect(unwrap(plain.map(wrap))).toEqual({ names: plain, wrappers: [wrapper] });
  });

  it("takes several wrappers out, and keeps a module that is called module", () => {
    expect(unwrap(plain.map((name) => `module._orig_mod.${name}`)).names).toEqual(plain);
    const own = ["encoder.module.weight", "module.head.weight"];
    expect(unwrap(own)).toEqual({ names: own, wrappers: [] });
  });

  it("gives the modules of a model that was saved inside its wrappers, and says so", async () => {
    const names = plain.map((name) => `_orig_mod.${name}`);
    const tree = await loadCheckpointTree(memoryFiles(new Map([["m/model.safetensors", tensorFile(names)]])), "m");
    if (!tree.ok) throw new Error(tree.problem.code);
    expect(tree.value.modules.map(({ name }) => name)).toContain("model.layers.1.mlp.up_proj");
    expect(tree.value.uncertain.some((text) => text.includes("(_orig_mod)"))).toBe(true);
  });
});
